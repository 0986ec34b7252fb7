/**
 * Many accounts or additions by the bulk endpoints: a stream in, a stream out. Requests hold some thousand lines, which are held
 * until their results have come: what an answer did not reach is sent again, and nothing is doubled by that.
 */
import type { AccountLine, BulkResult } from './answers';
import { fieldOf, NoAnswerError } from './errors';
import { linesOf } from './ndjson';
import { pause, pauseAfter, RETRIES } from './retries';
import type { CallOptions, Transport } from './transport';

export type BulkMode = 'create' | 'validate';

export interface LinesOptions extends Omit<CallOptions, 'requestId'> {
  /** 1 to 10,000, default 1,000. */
  readonly linesPerRequest?: number;
}

export interface BulkOptions extends LinesOptions {
  /** `validate` validates and stores nothing. Default `create`. */
  readonly mode?: BulkMode;
  /** The run of each account that names none itself. */
  readonly run?: string;
}

/** A bulk endpoint; each line of its answers is an `Answer`. */
export interface BulkEndpoint<Result, Answer = unknown> {
  readonly path: string;
  readonly resultOf: (line: Answer) => Result;
  /** True where the service itself failed the line, which is then sent again. */
  readonly isFailed: (result: Result) => boolean;
}

type Indexed<Result> = Result & { readonly index: number };

interface Line {
  readonly index: number;
  readonly text: string;
}

const LINES_PER_REQUEST = 1_000;
const TIMEOUT_MILLISECONDS = 120_000;
/** Keeps a request well within the 64 MiB it may have, whatever its characters take as bytes. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Validates or schedules accounts: see {@link inBulk}. */
export const bulk = (
  transport: Transport,
  accounts: AsyncIterable<AccountLine> | Iterable<AccountLine>,
  { mode = 'create', run, ...options }: BulkOptions,
): AsyncGenerator<BulkResult> =>
  inBulk(
    transport,
    {
      path: `/v2/data-import/accounts/bulk/?mode=${mode}${run === undefined ? '' : `&run=${encodeURIComponent(run)}`}`,
      resultOf,
      isFailed: ({ status }) => status === 'FAILED',
    },
    accounts,
    options,
  );

/** Yields one result for each line, in order save those that had to be sent again. Rejects when no answer comes at all. */
export async function* inBulk<Result extends object, Answer>(
  transport: Transport,
  endpoint: BulkEndpoint<Result, Answer>,
  lines: AsyncIterable<object | string> | Iterable<object | string>,
  options: LinesOptions,
): AsyncGenerator<Indexed<Result>> {
  for await (const chunk of chunksOf(lines, options.linesPerRequest ?? LINES_PER_REQUEST))
    yield* chunkResults(transport, endpoint, chunk, options);
}

async function* chunkResults<Result extends object, Answer>(
  transport: Transport,
  endpoint: BulkEndpoint<Result, Answer>,
  chunk: readonly Line[],
  options: LinesOptions,
): AsyncGenerator<Indexed<Result>> {
  let open = chunk;
  for (let attempt = 1; ; attempt++) {
    const failed: Line[] = [];
    const last: Indexed<Result>[] = [];
    let answered = 0;
    let problem: unknown;
    try {
      for await (const answer of answersTo(transport, endpoint, open, options)) {
        const line = open[answered++];
        if (!line) throw new NoAnswerError('The answer has more lines than the request.', 'bulk');
        const result = { ...answer, index: line.index };
        if (!endpoint.isFailed(answer)) yield result;
        else {
          failed.push(line);
          last.push(result);
        }
      }
    } catch (error) {
      problem = error;
    }
    open = [...failed, ...open.slice(answered)];
    if (problem === undefined && open.length === 0) return;
    // Lines that were answered show that the service is there: they count as a fresh start.
    if (answered > failed.length) attempt = 1;
    // A service that answers and fails some lines is not away: however patient a caller is, those do not hold up the others for long.
    const { attempts } = transport.retries;
    const retries = problem === undefined ? { ...transport.retries, attempts: Math.min(attempts, RETRIES.attempts) } : transport.retries;
    const milliseconds = pauseAfter(problem ?? new NoAnswerError('Some lines failed.', 'bulk'), attempt, retries);
    if (milliseconds === undefined) {
      if (problem !== undefined) throw problem;
      yield* last;
      return;
    }
    await pause(milliseconds, options.signal);
  }
}

/** The answers of one request, in the order of its lines. Rejects with {@link NoAnswerError} where the answer is cut short. */
async function* answersTo<Result, Answer>(
  transport: Transport,
  { path, resultOf: read }: BulkEndpoint<Result, Answer>,
  lines: readonly Line[],
  options: LinesOptions,
): AsyncGenerator<Result> {
  const requestId = crypto.randomUUID();
  const call = {
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    ...options,
    // The chunk is tried again as a whole, with what is left of it.
    attempts: 1,
    requestId,
    method: 'POST',
    path,
    body: { type: 'application/x-ndjson', text: lines.map(({ text }) => `${text}\n`).join('') },
  } as const;
  const answer = await transport.request(call, (response) => Promise.resolve(response));
  let isWhole = false;
  try {
    if (answer.body) {
      for await (const line of linesOf(answer.body)) {
        const value = JSON.parse(line);
        if (fieldOf(value, 'done') === true) isWhole = true;
        else yield read(value);
      }
    }
  } catch (error) {
    throw transport.noAnswer(error, requestId, options.signal);
  }
  // A stream that breaks looks like one that ends: only its last line says that it is whole.
  if (!isWhole) throw new NoAnswerError('The answer was cut short.', requestId);
}

const STATUSES: readonly BulkResult['status'][] = ['SCHEDULED', 'VALID', 'INVALID', 'ALREADY_IMPORTED', 'IN_PROGRESS', 'FAILED'];

function resultOf(value: unknown): Omit<BulkResult, 'index'> {
  const answeredStatus = fieldOf(value, 'status');
  const number = fieldOf(value, 'external_account_number');
  const [errors, warnings, accountId] = [fieldOf(value, 'errors'), fieldOf(value, 'warnings'), fieldOf(value, 'account_id')];
  return {
    status: STATUSES.find((status) => status === answeredStatus) ?? 'FAILED',
    ...(typeof number === 'string' ? { external_account_number: number } : {}),
    ...(Array.isArray(errors) ? { errors } : {}),
    ...(Array.isArray(warnings) ? { warnings } : {}),
    ...(typeof accountId === 'string' ? { account_id: accountId } : {}),
  };
}

async function* chunksOf(values: AsyncIterable<object | string> | Iterable<object | string>, size: number): AsyncGenerator<Line[]> {
  let chunk: Line[] = [];
  let characters = 0;
  let index = 0;
  for await (const value of values) {
    const text = typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
    if (chunk.length > 0 && (chunk.length >= size || characters + text.length > MAX_CHARACTERS)) {
      yield chunk;
      [chunk, characters] = [[], 0];
    }
    chunk.push({ index: index++, text });
    characters += text.length;
  }
  if (chunk.length > 0) yield chunk;
}

/** JSON has line feeds between its tokens only. A line must not be blank: it would be no line at all. */
const oneLine = (text: string): string => (text.trim() === '' ? 'null' : text.replace(/[\r\n]+/g, ' '));
