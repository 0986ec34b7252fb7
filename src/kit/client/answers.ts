/** What the client gives back where it is not the wire's own. */
import type { Account, BulkLine, ErrorItem, HistoricalStatementsRequest } from './wire';

/** §4.3: the validated data. */
export type HistoricalStatementsResult = HistoricalStatementsRequest;

/** What became of one account of a bulk request. */
export interface BulkResult extends Omit<BulkLine, 'line' | 'warnings'> {
  /** Position of the account in what was given, from 0. */
  readonly index: number;
  /** Absent where there are none. */
  readonly warnings?: readonly ErrorItem[];
}

/** An account as an object, or as the JSON text it is sent as. */
export type AccountLine = Account | string;
