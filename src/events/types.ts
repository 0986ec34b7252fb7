/**
 * What an event can report (§12). Its data holds account numbers, statuses, codes and counts, never personal data.
 */

/** Every event, with its data. */
export interface EventData {
  'account_imports.finished': { readonly imports: readonly FinishedImport[] };
  'account_imports.cancelled': { readonly imports: readonly ImportOfEvent[]; readonly reason: CancelReason };
  'account_imports.undone': { readonly imports: readonly UndoneImport[] };
  'notes.added': AccountOfEvent & Counted;
  'transactions.added': AccountOfEvent & Counted;
  'statements.added': AccountOfEvent & Counted;
  'payment_instruction.added': AccountOfEvent & Counted;
  'payment_instruction.ended': AccountOfEvent & Counted;
  'account.erased': AccountOfEvent;
  'import_supplier.changed': { readonly status: string };
  'run.held': RunOfEvent & { readonly held_by: string; readonly errors: number };
  'run.released': RunOfEvent & { readonly released: 'all' | 'some' };
  'run.finished': RunOfEvent & { readonly counts: Readonly<Record<string, number>> };
  'run.cancelled': RunOfEvent & Counted;
  'run.undone': RunOfEvent & Counted;
}

export type EventType = keyof EventData;

const TYPES: Readonly<Record<EventType, true>> = {
  'account_imports.finished': true,
  'account_imports.cancelled': true,
  'account_imports.undone': true,
  'account.erased': true,
  'notes.added': true,
  'transactions.added': true,
  'statements.added': true,
  'payment_instruction.added': true,
  'payment_instruction.ended': true,
  'import_supplier.changed': true,
  'run.held': true,
  'run.released': true,
  'run.finished': true,
  'run.cancelled': true,
  'run.undone': true,
};

/** Every type, as a list: a type that is not in it does not compile. */
export const EVENT_TYPES = typesOf(TYPES);

/** Names of a record that has each once; never empty. */
function typesOf(record: Readonly<Record<EventType, true>>): [EventType, ...EventType[]] {
  const [first, ...rest] = Object.keys(record).filter((name): name is EventType => name in record);
  if (first === undefined) throw new Error('there is no type of event');
  return [first, ...rest];
}

export interface ImportOfEvent {
  readonly external_account_number: string;
  /** The name of the run that it is in. */
  readonly run?: string;
}

/** An import that ended, with or without an account. */
export interface FinishedImport extends ImportOfEvent {
  readonly status: 'PROCESSED' | 'ERRORED' | 'DRY_RUN_SUCCEEDED' | 'DRY_RUN_ERRORED';
  readonly platform_account_number?: string;
  readonly platform_identifier?: string;
  /** Of the error it ended with. */
  readonly code?: string;
}

/** An account that was taken back, by the numbers it had. */
export interface UndoneImport extends ImportOfEvent {
  readonly platform_account_number: string;
}

export type CancelReason = 'window_closed' | 'import_supplier_complete' | 'importer' | 'operator' | 'run';

interface RunOfEvent {
  readonly run: string;
}

export interface AccountOfEvent {
  readonly external_account_number: string;
  readonly platform_account_number: string;
}

interface Counted {
  readonly count: number;
}

/** The events that say how many rows the write before them changed. */
export type CountedType = { [Type in EventType]: EventData[Type] extends Counted ? Type : never }[EventType];

/** What has to be given of an event's data: its count is the database's. */
export type GivenData<Type extends EventType> = Omit<EventData[Type], 'count'>;
