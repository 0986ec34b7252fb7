/** `notes|transactions|statements|payment-instructions FILE`: sends each record as one request of its endpoint, in bulk where there is one. */
import { ApiError, type BulkAddition, type ErrorItem, NoAnswerError } from '../client';
import type { Connection } from './access';
import { EXIT, type ExitCode, Stopped } from './exit';
import { objectOf } from './files/errors-beside';
import { countRecords, type Source } from './files/source';
import { writeFailed } from './files/write-failed';
import { oneByOne } from './one-by-one';
import { Away } from './outage';
import { number, Progress } from './progress';
import { countsOf } from './summary';

/** What a request added, as it is counted. */
export interface Added {
  /** Statuses of its items, in words. */
  readonly statuses: readonly string[];
  /** Items that were stored with another date than was sent. */
  readonly moved: number;
}

/** How request bodies are sent, given as JSON text. */
export type Way<Result> =
  | { readonly kind: 'in_bulk'; readonly send: (bodies: AsyncIterable<string>, signal: AbortSignal) => AsyncIterable<BulkAddition<Result>> }
  | {
      readonly kind: 'one_by_one';
      readonly send: (body: string, signal: AbortSignal) => Promise<Result>;
      /** True where a request must not be sent twice: one without an answer then counts as failed, and the others go on. */
      readonly isOnce: boolean;
    };

/** A kind of addition. */
export interface Kind<Result> {
  readonly way: Way<Result>;
  readonly added: (answer: Result, body: string) => Added;
}

export interface AddOptions<Result> extends Kind<Result> {
  readonly name: string;
  readonly source: Source;
  readonly connection: Connection;
  readonly isJson: boolean;
  readonly failedFile: string | undefined;
}

interface Body {
  /** Position in the file, from 0. */
  readonly position: number;
  readonly text: string;
}

/** A request and its answer. */
interface Answered<Result> extends Body {
  readonly answer: { readonly result: Result } | { readonly error: unknown };
}

export async function addRecords<Result>(options: AddOptions<Result>): Promise<ExitCode> {
  const { name, source, connection, isJson, failedFile, way, added } = options;
  const { client, signal, outage } = connection;
  await client.checkAccess({ signal });
  const total = await countRecords(source);
  const failures = new Map<number, readonly ErrorItem[]>();
  const statuses: string[] = [];
  let [accepted, moved] = [0, 0];
  const shown = () => ({ finished: accepted + failures.size, total, failed: failures.size, notice: outage.notice });
  const progress = new Progress(shown, isJson);
  // What is still under way ends with the first failure of more than a record.
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  try {
    for await (const { position, text, answer } of answersTo(objectsOf(source, failures), way, both, () => outage.notice !== undefined)) {
      if ('result' in answer) {
        const counted = added(answer.result, text);
        accepted++;
        moved += counted.moved;
        statuses.push(...counted.statuses);
      } else failures.set(position, errorsIn(answer.error, way, both));
    }
  } catch (error) {
    ended.abort();
    throw isOnce(way) ? withoutDoubling(error) : error;
  } finally {
    progress.end();
  }
  const [failed] = await writeFailed(source, failures, failedFile);
  const results = countsOf(statuses);
  const codes = countsOf([...failures.values()].flatMap((errors) => [...new Set(errors.map(({ code }) => code))]));
  if (isJson) {
    const summary = {
      file: source.name,
      total,
      added: accepted,
      results,
      moved,
      failed: failures.size,
      failed_file: failed ?? null,
      codes,
    };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  } else {
    process.stdout.write(`${number(total)} requests of ${name}: ${number(accepted)} accepted, ${number(failures.size)} failed\n`);
    for (const [code, count] of Object.entries({ ...results, ...codes })) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
    if (moved > 0) process.stdout.write(`${number(moved).padStart(9)}  dated outside the open statement period and moved into it\n`);
    if (failed) process.stdout.write(`The failed ones with their errors are in ${failed}: put them right and send that file.\n`);
  }
  return failures.size === 0 ? EXIT.allDone : EXIT.someFailed;
}

const isOnce = (way: Way<unknown>): boolean => way.kind === 'one_by_one' && way.isOnce;

const ADVICE = 'Run it again without --no-check-previously-added: what was added would be added twice.';

/** What ends requests that must not be sent twice, with an advice that doubles nothing. */
function withoutDoubling(error: unknown): unknown {
  if (error instanceof Stopped) return new Stopped(ADVICE);
  return error instanceof Away ? new Away(error.words, ADVICE) : error;
}

/** The records that are JSON objects; the others go to the failures. */
async function* objectsOf(source: Source, failures: Map<number, readonly ErrorItem[]>): AsyncGenerator<Body> {
  let position = 0;
  for await (const { text } of source.records()) {
    if (objectOf(text)) yield { position, text };
    else failures.set(position, [{ code: 'parse_error', attr: '', detail: 'The record is no JSON object.' }]);
    position++;
  }
}

async function* answersTo<Result>(
  bodies: AsyncGenerator<Body>,
  way: Way<Result>,
  signal: AbortSignal,
  isBusy: () => boolean,
): AsyncGenerator<Answered<Result>> {
  if (way.kind === 'one_by_one') {
    const call = async (body: Body): Promise<Answered<Result>> => ({ ...body, answer: await answerTo(way.send(body.text, signal)) });
    return yield* oneByOne(bodies, call, { isBusy });
  }
  const open = new Map<number, Body>();
  async function* texts(): AsyncGenerator<string> {
    let index = 0;
    for await (const body of bodies) {
      open.set(index++, body);
      yield body.text;
    }
  }
  for await (const answer of way.send(texts(), signal)) {
    const body = open.get(answer.index);
    open.delete(answer.index);
    if (body) yield { ...body, answer };
  }
}

const answerTo = <Result>(call: Promise<Result>): Promise<Answered<Result>['answer']> =>
  call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );

/** What is wrong with a record. Throws where going on makes no sense. */
function errorsIn(error: unknown, way: Way<unknown>, signal: AbortSignal): readonly ErrorItem[] {
  if (!signal.aborted && error instanceof ApiError && !error.isAccessRefused) {
    return error.errors.length > 0 ? error.errors : [{ code: error.code, attr: '', detail: error.message }];
  }
  if (!signal.aborted && error instanceof NoAnswerError && isOnce(way)) {
    return [{ code: 'no_answer', attr: '', detail: 'No answer came: it may have been added or not.' }];
  }
  throw error;
}
