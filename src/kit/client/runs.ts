/** Runs (§4.19–4.22): deliveries of accounts, held, released, reconciled and reported as a whole. */

import { NoAnswerError } from './errors';
import { linesOf } from './ndjson';
import { type Call, type CallOptions, jsonIn, type Transport } from './transport';
import type { ComparedAccount, ImportProcessStatus, ListedAccount, ListedImportProcess, Reconciliation, Run, RunSettings } from './wire';

/** The last line of a whole answer. */
interface End {
  readonly done: true;
}

const REPORT_MILLISECONDS = 600_000;

/** Of {@link DataImportClient.runs}. */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes a run or changes it; a repeat is harmless. */
  put(supplier: string, run: string, settings: RunSettings = {}, options: CallOptions = {}): Promise<Run> {
    return this.#json('PUT', supplier, run, '', options, settings);
  }

  get(supplier: string, run: string, options: CallOptions = {}): Promise<Run> {
    return this.#json('GET', supplier, run, '', options);
  }

  /** All accounts, or the first so many. 409 `totals_differ` with `require_match`, where what is staged is not what was declared. */
  release(
    supplier: string,
    run: string,
    release: { readonly accounts?: number; readonly require_match?: boolean } = {},
    options: CallOptions = {},
  ): Promise<Run> {
    return this.#json('POST', supplier, run, 'release/', options, release);
  }

  /** Stops what has not been claimed. */
  hold(supplier: string, run: string, options: CallOptions = {}): Promise<Run> {
    return this.#json('POST', supplier, run, 'hold/', options);
  }

  /** Cancels what is PENDING, however much. */
  async cancel(supplier: string, run: string, options: CallOptions = {}): Promise<Run & { readonly cancelled: number }> {
    for (let cancelled = 0; ; ) {
      const answer: Run & { cancelled: number; is_done: boolean } = await this.#json('POST', supplier, run, 'cancel/', options);
      cancelled += answer.cancelled;
      if (answer.is_done) return { ...answer, cancelled };
    }
  }

  reconcile(supplier: string, run: string, options: CallOptions = {}): Promise<Reconciliation> {
    return this.#json('GET', supplier, run, 'reconciliation/', { timeoutMilliseconds: REPORT_MILLISECONDS, ...options });
  }

  /** Yields what differs from a list of your own. */
  async *compare(
    supplier: string,
    run: string,
    accounts: AsyncIterable<ListedAccount> | Iterable<ListedAccount>,
    options: CallOptions = {},
  ): AsyncGenerator<ComparedAccount> {
    let text = '';
    for await (const account of accounts) text += `${JSON.stringify(account)}\n`;
    const body = { type: 'application/x-ndjson', text };
    yield* this.#lines<ComparedAccount>({ ...options, method: 'POST', path: `${pathOf(supplier, run)}reconciliation/`, body });
  }

  /** Yields every account of the run, with all its errors. Rejects where the answer is cut. */
  report(
    supplier: string,
    run: string,
    { status, ...options }: CallOptions & { readonly status?: ImportProcessStatus } = {},
  ): AsyncGenerator<ListedImportProcess> {
    const query = status === undefined ? '' : `?status=${status}`;
    return this.#lines({ ...options, method: 'GET', path: `${pathOf(supplier, run)}report/${query}` });
  }

  async *#lines<Line extends object>(call: Call): AsyncGenerator<Line> {
    const answer = await this.#transport.request({ timeoutMilliseconds: REPORT_MILLISECONDS, ...call }, (response) =>
      Promise.resolve(response),
    );
    if (answer.body) {
      for await (const text of linesOf(answer.body)) {
        const line: End | Line = JSON.parse(text);
        if ('done' in line) return;
        yield line;
      }
    }
    throw new NoAnswerError('The answer was cut.', call.path);
  }

  #json<T>(method: Call['method'], supplier: string, run: string, rest: string, options: CallOptions, body?: object): Promise<T> {
    const call: Call = {
      ...options,
      method,
      path: `${pathOf(supplier, run)}${rest}`,
      ...(body === undefined ? {} : { body: { type: 'application/json', text: JSON.stringify(body) } }),
    };
    return this.#transport.request(call, jsonIn<T>);
  }
}

export const runsPath = (supplier: string): string => `/v2/data-import/runs/${encodeURIComponent(supplier)}/`;
const pathOf = (supplier: string, run: string): string => `${runsPath(supplier)}${encodeURIComponent(run)}/`;
