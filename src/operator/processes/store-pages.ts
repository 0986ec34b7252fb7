/**
 * Pages of a supplier's import processes as the operator searches them.
 */
import {
  alias,
  and,
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
  type RowOfStatement,
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

export interface ProcessFilter {
  readonly status: Status | undefined;
  readonly prefix: string | undefined;
  readonly errorCode: string | undefined;
  /** The platform account number: of one process at most. */
  readonly accountNumber: string | undefined;
  /** The last external account number of the page before. */
  readonly cursor: string | undefined;
}

/** Which conditions a page has: each form is a statement of its own, so that it takes the index that fits. */
interface Form {
  readonly status: Status | undefined;
  readonly hasErrorCode: boolean;
  readonly hasCursor: boolean;
}

interface PageValues {
  readonly supplierId: number;
  readonly limit: number;
  readonly errorCode: string | null;
  readonly cursor: string | null;
}

/** Without an account. The number of a status stands in the text, so that SQLite sees that the open index holds all it asks for. */
const isOpen = (status: Status | undefined): status is Status => status !== undefined && status !== 'PROCESSED';

const conditionsOf = ($: Values<PageValues>, { status, hasErrorCode }: Form): SQL | undefined =>
  and(
    eq(importProcesses.supplierId, $.supplierId),
    status && eq(importProcesses.status, STATUS[status]),
    isOpen(status) ? ne(importProcesses.status, STATUS.PROCESSED) : undefined,
    hasErrorCode ? sql`${importProcesses.error} ->> 'code' = ${$.errorCode}` : undefined,
  );

function tableOf({ status, hasErrorCode }: Form) {
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

const BY_NUMBER = preparedForms(($: Values<PageValues & { prefix: string; prefixEnd: string }>, form: Form) =>
  db
    .select(LISTED)
    .from(indexedBy(importProcesses, 'import_processes_pair'))
    .where(
      and(
        conditionsOf($, form),
        gte(importProcesses.externalAccountNumber, $.prefix),
        lt(importProcesses.externalAccountNumber, $.prefixEnd),
        form.hasCursor ? gt(importProcesses.externalAccountNumber, $.cursor) : undefined,
      ),
    )
    .orderBy(importProcesses.externalAccountNumber)
    .limit(limitOf($.limit)),
);

/** Where no other external account number that begins with the prefix can follow. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

/** An error code alone asks for what is ERRORED. Newest first; with a prefix in the order of the external account number. */
export function processPage(supplierId: number, filter: ProcessFilter, limit: number) {
  const { prefix, errorCode, cursor } = filter;
  const form = {
    status: filter.status ?? (errorCode === undefined ? undefined : 'ERRORED'),
    hasErrorCode: errorCode !== undefined,
    hasCursor: cursor !== undefined,
  } as const;
  const values = { supplierId, limit, errorCode: errorCode ?? null, cursor: cursor ?? null };
  return prefix === undefined ? NEWEST_FIRST(form, values) : BY_NUMBER(form, { ...values, prefix, prefixEnd: endOf(prefix) });
}

export type ListedRow = RowOfStatement<ReturnType<typeof processPage>>;

/** Finds a process by its external account number. */
export const processNamed = prepared(($: Values<{ supplierId: number; externalAccountNumber: string }>) =>
  db
    .select({ id: importProcesses.id })
    .from(importProcesses)
    .where(and(eq(importProcesses.supplierId, $.supplierId), eq(importProcesses.externalAccountNumber, $.externalAccountNumber))),
);
