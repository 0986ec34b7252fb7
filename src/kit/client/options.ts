/** What calls take beside their request. */
import type { LinesOptions } from './bulk';
import type { CallOptions } from './transport';

export interface TransactionOptions extends CallOptions {
  /**
   * Default true. With `false` the transactions are added even if they have been before: such a request is sent exactly once,
   * whatever its answer, and whether to send it again is for you to decide.
   */
  readonly checkPreviouslyAdded?: boolean;
  /** Default true: a date outside the open statement period is moved into it. With `false` it is an error. */
  readonly forceAddToCurrentStatement?: boolean;
}

export type BulkTransactionOptions = LinesOptions & Pick<TransactionOptions, 'forceAddToCurrentStatement'>;

/** Many of a request, as objects or as the JSON text they are sent as. */
export type Many<Request> = AsyncIterable<Request | string> | Iterable<Request | string>;

export interface ValidateOptions extends CallOptions {
  /** True asks for the fields that are not documented. Default false. */
  readonly warnings?: boolean;
}

export interface ListOptions extends CallOptions {
  /** Items fetched at once, 1 to 10,000; default 1,000. */
  readonly pageSize?: number;
}

export interface WaitOptions extends CallOptions {
  /** Between two looks. Default 1,000. */
  readonly pollMilliseconds?: number;
}
