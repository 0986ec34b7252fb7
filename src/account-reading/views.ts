/**
 * Accounts as they are shown: with their data masked, or as they are. Pure.
 */
import { EVENT, platformIdentifierOf, statusOf } from '../import-processes';
import { NOTE_SOURCE } from '../notes';
import { errorOf, maskPersonalData } from '../operator';
import { isoInstant } from '../shared/dates';
import { formatMinorUnits } from '../shared/money';
import { isObject } from '../shared/shape';
import { TRANSACTION_SOURCE } from '../transactions';
import type { WholeAccount } from './read';
import type { CustomerRow, HistoryRow, InstructionRow, NoteRow, StatementRow, TransactionRow } from './store';

/** What of the data is shown. */
export type Shown = (data: object) => object;
export const asIs: Shown = (data) => data;
export const masked: Shown = (data) => {
  const hidden = maskPersonalData(data);
  return isObject(hidden) ? hidden : {};
};

/** An account whole, as of now, in Unix milliseconds: a pin that is over is none. */
export const accountView = (account: WholeAccount, now: number, shown: Shown) => ({
  platform_account_number: account.accountNumber,
  platform_identifier: platformIdentifierOf(account.accountNumber),
  import_supplier: account.row.supplierCode,
  external_account_number: account.row.externalAccountNumber,
  account_created_at: isoInstant(account.row.finishedAt ?? account.row.createdAt),
  ...(account.row.erasedAt === null ? {} : { erased_at: isoInstant(account.row.erasedAt) }),
  account: account.fields ? shown(account.fields) : null,
  customers: account.customers.map((row) => shown(customerData(row))),
  notes: notesInOrder(account.notes, now).map((row) => ({ source: NOTE_SOURCES[row.source], ...shown(noteData(row, now)) })),
  transactions: transactionsInOrder(account.transactions).map((row) => ({
    source: TRANSACTION_SOURCES[row.source],
    ...(row.ledger === null ? {} : { ledger: row.ledger }),
    added_at: isoInstant(row.createdAt),
    imported: shown(objectIn(row.imported)),
    posted: shown(postedData(row)),
  })),
  statements: account.statements.map((row) => ({ added_at: isoInstant(row.createdAt), ...shown(statementData(row)) })),
  payment_instructions: account.instructions.map((row) => instructionView(row, shown)),
  import_process: processView(account),
});

/** The same with what operators did to it. */
export const supportView = (account: WholeAccount, now: number, shown: Shown) => ({
  ...accountView(account, now, shown),
  history: account.history.map(historyView),
});

const NOTE_SOURCES: Readonly<Record<number, string>> = {
  [NOTE_SOURCE.payload]: 'PAYLOAD',
  [NOTE_SOURCE.posted]: 'POSTED',
  [NOTE_SOURCE.service]: 'SERVICE',
};
const TRANSACTION_SOURCES: Readonly<Record<number, string>> = {
  [TRANSACTION_SOURCE.historical]: 'HISTORICAL',
  [TRANSACTION_SOURCE.current]: 'CURRENT',
  [TRANSACTION_SOURCE.posted]: 'POSTED',
};

/** True while the note counts as pinned (§2.3). */
export const isPinned = ({ isPinned: wasPinned, unpinAt }: NoteRow, now: number): boolean =>
  wasPinned && (unpinAt === null || unpinAt > now);

/** Pinned ones first, then the newest first. */
export const notesInOrder = (rows: readonly NoteRow[], now: number): NoteRow[] =>
  rows.toSorted((a, b) => Number(isPinned(b, now)) - Number(isPinned(a, now)) || b.createdAt - a.createdAt);

/** As posted, the newest first. */
export const transactionsInOrder = (rows: readonly TransactionRow[]): TransactionRow[] =>
  rows.toSorted(
    (a, b) => compare(b.transactionDate, a.transactionDate) || compare(a.transactionId, b.transactionId) || a.addition - b.addition,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A JSON object as it is stored; without one, none. */
export const objectIn = (value: object | null): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** Items, each with what was stored apart of it: its undocumented fields, put back into their places. */
const withMore = (items: readonly unknown[], more: unknown): unknown[] =>
  items.map((item, index) => {
    const beside: unknown = Array.isArray(more) ? more[index] : undefined;
    return isObject(item) && isObject(beside) ? { ...beside, ...item } : item;
  });

const given = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** A customer as it was sent, with its phone numbers in E.164 beside them. */
export function customerData(row: CustomerRow): Readonly<Record<string, unknown>> {
  const { alternative_phone_numbers: more, ...details } = objectIn(row.details);
  const alternatives = withMore(row.alternativePhoneNumbers ?? [], more);
  return {
    ...details,
    ...given({
      given_name: row.givenName,
      family_name: row.familyName,
      email: row.email,
      mobile: row.mobile,
      mobile_e164: row.mobileE164,
      landline: row.landline,
      landline_e164: row.landlineE164,
      date_of_birth: row.dateOfBirth,
    }),
    ...(alternatives.length > 0 ? { alternative_phone_numbers: alternatives } : {}),
  };
}

/** A note; its documents by path and key. */
export function noteData(row: NoteRow, now: number): Readonly<Record<string, unknown>> {
  const { document_paths: more, ...details } = objectIn(row.details);
  const documents = withMore(row.documents ?? [], more);
  return {
    ...details,
    ...given({ body: row.body, created_at: isoInstant(row.createdAt), is_pinned: isPinned(row, now) }),
    ...(row.unpinAt === null ? {} : { unpin_at: isoInstant(row.unpinAt) }),
    ...(documents.length > 0 ? { documents } : {}),
  };
}

/** A transaction as it is stored on the account. */
export const postedData = ({ transactionDate, amountMinor, type, note }: TransactionRow): object => ({
  transaction_date: transactionDate,
  amount: formatMinorUnits(amountMinor),
  type,
  ...(note === null ? {} : { note }),
});

const statementData = ({ content, documentKey }: StatementRow): object => ({
  statement: objectIn(content),
  ...(documentKey === null ? {} : { document_key: documentKey }),
});

/** ACTIVE is the one of its type that is in force, ENDED was it once; IMPORTED came with the account payload and never was. */
export type InstructionStatus = 'ACTIVE' | 'ENDED' | 'IMPORTED';
export const instructionStatus = ({ position }: InstructionRow): InstructionStatus =>
  position === 0 ? 'ACTIVE' : position < 0 ? 'ENDED' : 'IMPORTED';

const instructionView = (row: InstructionRow, shown: Shown) => ({
  type: row.type,
  status: instructionStatus(row),
  added_at: isoInstant(row.createdAt),
  ...(row.endedAt === null ? {} : { ended_at: isoInstant(row.endedAt) }),
  ...shown({ vendor: row.vendor, ...(row.reference === null ? {} : { reference: row.reference }), details: objectIn(row.details) }),
});

/** What happened to an import, oldest first: the happy path's events are columns of the process. */
export const eventsOf = ({ row, events }: WholeAccount) => [
  { event: EVENT.CREATED, occurredAt: row.processCreatedAt, error: undefined },
  ...events.map(({ event, occurredAt, data }) => ({ event, occurredAt, error: errorOf(data) })),
  ...(row.finishedAt === null ? [] : [{ event: EVENT.PROCESSED, occurredAt: row.finishedAt, error: undefined }]),
];

const processView = (account: WholeAccount) => ({
  status: statusOf(account.row.status),
  created_at: isoInstant(account.row.processCreatedAt),
  scheduled_at: isoInstant(account.row.scheduledAt),
  finished_at: account.row.finishedAt === null ? null : isoInstant(account.row.finishedAt),
  attempts: account.row.attempts,
  events: eventsOf(account).map(({ event, occurredAt, error }) => ({
    event,
    occurred_at: isoInstant(occurredAt),
    data: error ? { ...error, domain: 'import_process' } : null,
  })),
});

const historyView = ({ occurredAt, actor, action }: HistoryRow) => ({ occurred_at: isoInstant(occurredAt), actor, action });
