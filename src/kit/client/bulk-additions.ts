/** Notes, transactions and statements by the bulk endpoints: each line is answered as its request would be alone. */
import { type BulkEndpoint, inBulk, type LinesOptions } from './bulk';
import { ApiError, fieldOf } from './errors';
import type { Transport } from './transport';

/** What became of one request of many: what it added, or why it was refused. */
export type BulkAddition<Result> = ({ readonly result: Result } | { readonly error: ApiError }) & {
  /** Position of the request in what was given, from 0. */
  readonly index: number;
};

/** As the service says it. */
interface AddedLine<Result> {
  readonly status: number;
  readonly body: Result;
}

type Answer<Result> = { readonly result: Result } | { readonly error: ApiError };

/** Yields for each request what it added, or why it was refused. */
export const additionsInBulk = <Result>(
  transport: Transport,
  path: string,
  requests: AsyncIterable<object | string> | Iterable<object | string>,
  options: LinesOptions,
): AsyncGenerator<BulkAddition<Result>> => {
  const endpoint: BulkEndpoint<Answer<Result>, AddedLine<Result>> = {
    path,
    resultOf: answerOf,
    isFailed: (answer) => 'error' in answer && (answer.error.status === 429 || answer.error.status >= 500),
  };
  return inBulk(transport, endpoint, requests, options);
};

function answerOf<Result>({ status, body }: AddedLine<Result>): Answer<Result> {
  if (status === 201) return { result: body };
  const requestId = fieldOf(body, 'request_id');
  return { error: new ApiError(status, body, typeof requestId === 'string' ? requestId : 'bulk') };
}
