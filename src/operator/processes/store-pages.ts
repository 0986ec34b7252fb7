/**
 * Pages of a supplier's import processes as the operator searches them.
 */
import {
  alias,
  and,
  count,
  db,
  desc,
  eq,
  gt,
  gte,
  importProcesses,
  indexedBy,
  limitOf,
  lt,
  ne,
  prepared,
  preparedForms,
  type RowOfQuery,
  type SQL,
  sql,
  type Values,
} from '../../db';
import { STATUS, type Status } from '../../import-processes';

/** What is listed of a process. */
export const LISTED = {
  externalAccountNumber: importProcesses.externalAccountNumber,
  status: importProcesses.status,
  accountNumber: importProcesses.accountNumber,
  isDryRun: importProcesses.isDryRun,
  createdAt: importProcesses.createdAt,
  scheduledAt: importProcesses.scheduledAt,
  modifiedAt: importProcesses.modifiedAt,
  error: importProcesses.error,
};

/** A field that failed validation: the code of its error, and its place. */
export interface FailedField {
  readonly code: string;
  readonly attr: string;
}

export interface ProcessFilter {
  readonly status: Status | undefined;
  readonly prefix: string | undefined;
  readonly errorCode: string | undefined;
  /** A field that failed validation, and how. */
  readonly field?: FailedField | undefined;
  /** The platform account number: of one process at most. */
  readonly accountNumber: string | undefined;
  /** The last external account number of the page before. */
  readonly cursor: string | undefined;
}

/** Which conditions a page has: each form is a statement of its own, so that it takes the index that fits. */
interface Form {
  readonly status: Status | undefined;
  readonly hasErrorCode: boolean;
  readonly hasField: boolean;
  readonly hasCursor: boolean;
}

interface PageValues {
  readonly supplierId: number;
  readonly limit: number;
  readonly errorCode: string | null;
  readonly fieldCode: string | null;
  readonly attr: string | null;
  readonly cursor: string | null;
}

/** Without an account. The text has the number of a status, not a value, so that SQLite sees that the open index holds all it asks for. */
const isOpen = (status: Status | undefined): status is Status => status !== undefined && status !== 'PROCESSED';

const conditionsOf = ($: Values<PageValues>, { status, hasErrorCode, hasField }: Omit<Form, 'hasCursor'>): SQL | undefined =>
  and(
    eq(importProcesses.supplierId, $.supplierId),
    status && eq(importProcesses.status, STATUS[status]),
    isOpen(status) ? ne(importProcesses.status, STATUS.PROCESSED) : undefined,
    hasErrorCode ? sql`${importProcesses.error} ->> 'code' = ${$.errorCode}` : undefined,
    hasField
      ? sql`EXISTS (SELECT 1 FROM json_each(${importProcesses.error}, '$.errors')
          WHERE value ->> 'code' = ${$.fieldCode} AND value ->> 'attr' = ${$.attr})`
      : undefined,
  );

function tableOf({ status, hasErrorCode }: Omit<Form, 'hasCursor'>) {
  if (!isOpen(status)) return importProcesses;
  return indexedBy(importProcesses, hasErrorCode && status === 'ERRORED' ? 'import_processes_errored' : 'import_processes_open');
}

const NEWEST_FIRST = preparedForms(($: Values<PageValues>, form: Form) => {
  const last = alias(importProcesses, 'last');
  const lastId = db
    .select({ id: last.id })
    .from(last)
    .where(and(eq(last.supplierId, $.supplierId), eq(last.externalAccountNumber, $.cursor)));
  return db
    .select(LISTED)
    .from(tableOf(form))
    .where(and(conditionsOf($, form), form.hasCursor ? lt(importProcesses.id, lastId) : undefined))
    .orderBy(desc(importProcesses.id))
    .limit(limitOf($.limit));
});

interface PrefixValues extends PageValues {
  readonly prefix: string;
  readonly prefixEnd: string;
}

const hasPrefix = ($: Values<PrefixValues>) =>
  and(gte(importProcesses.externalAccountNumber, $.prefix), lt(importProcesses.externalAccountNumber, $.prefixEnd));

const BY_NUMBER = preparedForms(($: Values<PrefixValues>, form: Form) =>
  db
    .select(LISTED)
    .from(indexedBy(importProcesses, 'import_processes_pair'))
    .where(and(conditionsOf($, form), hasPrefix($), form.hasCursor ? gt(importProcesses.externalAccountNumber, $.cursor) : undefined))
    .orderBy(importProcesses.externalAccountNumber)
    .limit(limitOf($.limit)),
);

/** Where no other external account number that begins with the prefix can follow. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

/** What a filter asks for: an error alone asks for what is ERRORED, a field for what failed validation. */
function askedFor(supplierId: number, limit: number, { status, errorCode, field, prefix = '', cursor }: ProcessFilter) {
  const code = errorCode ?? (field && 'import_process_failed_validation');
  return {
    form: {
      status: status ?? (code === undefined ? undefined : 'ERRORED'),
      hasErrorCode: code !== undefined,
      hasField: field !== undefined,
    },
    values: {
      supplierId,
      limit,
      errorCode: code ?? null,
      fieldCode: field?.code ?? null,
      attr: field?.attr ?? null,
      cursor: cursor ?? null,
      prefix,
      prefixEnd: endOf(prefix),
    },
  } as const;
}

/** Newest first; with a prefix in the order of the external account number. */
export function processPage(supplierId: number, filter: ProcessFilter, limit: number) {
  const { form, values } = askedFor(supplierId, limit, filter);
  const paged = { ...form, hasCursor: filter.cursor !== undefined };
  return filter.prefix === undefined ? NEWEST_FIRST(paged, values) : BY_NUMBER(paged, values);
}

const COUNT = preparedForms(($: Values<PrefixValues>, form: Omit<Form, 'hasCursor'> & { hasPrefix: boolean }) => {
  const table = form.hasPrefix ? indexedBy(importProcesses, 'import_processes_pair') : tableOf(form);
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(and(conditionsOf($, form), form.hasPrefix ? hasPrefix($) : undefined))
    .limit(limitOf($.limit))
    .as('found');
  return db.select({ count: count() }).from(found);
});

/** How many processes a filter finds, wherever its cursor is; `limit` where there are as many or more. */
export function processCount(supplierId: number, filter: ProcessFilter, limit: number) {
  const { form, values } = askedFor(supplierId, limit, filter);
  return COUNT({ ...form, hasPrefix: filter.prefix !== undefined }, values);
}

export type ListedRow = RowOfQuery<ReturnType<typeof processPage>>;

/** Finds a process by its external account number. */
export const processNamed = prepared(($: Values<{ supplierId: number; externalAccountNumber: string }>) =>
  db
    .select({ id: importProcesses.id })
    .from(importProcesses)
    .where(and(eq(importProcesses.supplierId, $.supplierId), eq(importProcesses.externalAccountNumber, $.externalAccountNumber))),
);
