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

/** §12: what happened. Decide by `type`, and pass over those that you do not know: later releases add some. */
export type ImportEvent = { readonly [Type in keyof EventData]: EventOf<Type> }[keyof EventData];

interface EventOf<Type extends keyof EventData> {
  /** The same each time the event is read or sent. */
  readonly id: string;
  readonly type: Type;
  readonly occurred_at: string;
  readonly import_supplier: string;
  readonly data: EventData[Type];
}

/** What each type of event reports. */
export interface EventData {
  /** Up to 500 imports that ended together. */
  readonly 'account_imports.finished': { readonly imports: readonly FinishedImport[] };
  readonly 'account_imports.cancelled': {
    readonly imports: readonly { readonly external_account_number: string; readonly run?: string }[];
    readonly reason: 'importer' | 'operator' | 'run' | 'window_closed' | 'import_supplier_complete';
  };
  /** Accounts that were taken back, by the numbers they had. */
  readonly 'account_imports.undone': {
    readonly imports: readonly {
      readonly external_account_number: string;
      readonly platform_account_number: string;
      readonly run?: string;
    }[];
  };
  readonly 'notes.added': ChangedAccount;
  readonly 'transactions.added': ChangedAccount;
  readonly 'statements.added': ChangedAccount;
  readonly 'payment_instruction.added': ChangedAccount;
  readonly 'payment_instruction.ended': ChangedAccount;
  readonly 'account.erased': Omit<ChangedAccount, 'count'>;
  readonly 'import_supplier.changed': { readonly status: 'Ongoing' | 'Paused' | 'Complete' };
  /** `errors`: since it was last released. */
  readonly 'run.held': {
    readonly run: string;
    readonly held_by: 'importer' | 'errors' | 'cancelled' | 'undone';
    readonly errors: number;
  };
  readonly 'run.released': { readonly run: string; readonly released: 'all' | 'some' };
  /** Nothing of it waits any more; how many have each status. */
  readonly 'run.finished': { readonly run: string; readonly counts: Readonly<Record<string, number>> };
  readonly 'run.cancelled': RunStep;
  readonly 'run.undone': RunStep;
}

export interface RunStep {
  readonly run: string;
  /** Accounts of this step: there may be several. */
  readonly count: number;
}

export interface FinishedImport {
  readonly external_account_number: string;
  readonly status: 'PROCESSED' | 'ERRORED' | 'DRY_RUN_SUCCEEDED' | 'DRY_RUN_ERRORED';
  /** Of a PROCESSED one. */
  readonly platform_account_number?: string;
  readonly platform_identifier?: string;
  /** Of the error that it ended with. */
  readonly code?: string;
  /** The run that it is of. */
  readonly run?: string;
}

export interface ChangedAccount {
  readonly external_account_number: string;
  readonly platform_account_number: string;
  /** How many were new. */
  readonly count: number;
}
