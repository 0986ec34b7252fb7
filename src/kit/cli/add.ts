/** `notes|transactions|statements|payment-instructions FILE`: sends each record as one request of its endpoint. */
import { ApiError, type ErrorItem, NoAnswerError } from '../client';
import type { Connection } from './access';
import { EXIT, type ExitCode } from './exit';
import { objectOf } from './files/errors-beside';
import { countRecords, type Source } from './files/source';
import { writeFailed } from './files/write-failed';
import { number, Progress } from './progress';
import { countsOf } from './summary';

/** Sends one request body, given as JSON text; answers the statuses of its items. */
export type Add = (body: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface AddOptions {
  readonly name: string;
  readonly source: Source;
  readonly connection: Connection;
  readonly isJson: boolean;
  readonly failedFile: string | undefined;
  readonly add: Add;
  /** True where a request must not be sent twice: one without an answer is then told as failed, and the others go on. */
  readonly isOnce: boolean;
}

const AT_ONCE = 4;

export async function addRecords({ name, source, connection, isJson, failedFile, add, isOnce }: AddOptions): Promise<ExitCode> {
  const { client, signal, outage } = connection;
  await client.checkAccess({ signal });
  const total = await countRecords(source);
  const failures = new Map<number, readonly ErrorItem[]>();
  const statuses: string[] = [];
  let added = 0;
  const shown = () => ({ finished: added + failures.size, total, failed: failures.size, notice: outage.notice });
  const progress = new Progress(shown, isJson);
  let index = 0;
  const records = source.records();
  // The first that ends in more than a failed record ends all.
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const sendSome = async () => {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const position = index++;
      const problem = await sent(next.value.text, add, isOnce, statuses, both);
      if (problem) failures.set(position, problem);
      else added++;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  } catch (error) {
    ended.abort();
    throw error;
  } finally {
    progress.end();
  }
  const [failed] = await writeFailed(source, failures, failedFile);
  const results = countsOf(statuses);
  const codes = countsOf([...failures.values()].flatMap((errors) => [...new Set(errors.map(({ code }) => code))]));
  if (isJson) {
    const summary = { file: source.name, total, added, results, failed: failures.size, failed_file: failed ?? null, codes };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  } else {
    process.stdout.write(`${number(total)} requests of ${name}: ${number(added)} accepted, ${number(failures.size)} failed\n`);
    for (const [code, count] of Object.entries({ ...results, ...codes })) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
    if (failed) process.stdout.write(`The failed ones with their errors are in ${failed}: put them right and send that file.\n`);
  }
  return failures.size === 0 ? EXIT.allDone : EXIT.someFailed;
}

/** What is wrong with a record; undefined if it was accepted. Rejects where going on makes no sense. */
async function sent(
  record: string,
  add: Add,
  isOnce: boolean,
  statuses: string[],
  signal: AbortSignal,
): Promise<readonly ErrorItem[] | undefined> {
  if (!objectOf(record)) return [{ code: 'parse_error', attr: '', detail: 'The record is no JSON object.' }];
  try {
    statuses.push(...(await add(record, signal)));
    return undefined;
  } catch (error) {
    if (!signal.aborted && error instanceof ApiError && !error.isAccessRefused) {
      return error.errors.length > 0 ? error.errors : [{ code: error.code, attr: '', detail: error.message }];
    }
    if (!signal.aborted && error instanceof NoAnswerError && isOnce) {
      return [{ code: 'no_answer', attr: '', detail: 'No answer came: it may have been added or not.' }];
    }
    throw error;
  }
}
