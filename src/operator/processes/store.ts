/**
 * Import processes as the operator reads them. Every statement is driven by the key of its supplier.
 */
import { type AuditValues, auditing } from '../../audit';
import {
  accounts,
  and,
  db,
  eq,
  exists,
  gte,
  importProcessEvents,
  importProcesses,
  importsPerMinute,
  ne,
  payloads,
  prepared,
  type RowOfQuery,
  serviceKeys,
  suppliers,
  type Values,
} from '../../db';
import { isNotComplete, mayStartAgain, STATUS } from '../../import-processes';
import { LISTED } from './store-pages';

interface PairValues {
  readonly supplierCode: string;
  readonly externalAccountNumber: string;
}

/** The process with that external account number, of the supplier with that code. */
const isNamed = ($: Values<PairValues>) =>
  and(
    eq(suppliers.code, $.supplierCode),
    eq(importProcesses.supplierId, suppliers.id),
    eq(importProcesses.externalAccountNumber, $.externalAccountNumber),
  );

export const processByNumber = prepared(($: Values<PairValues>) =>
  db
    .select({
      ...LISTED,
      id: importProcesses.id,
      supplierId: importProcesses.supplierId,
      windowStart: importProcesses.windowStart,
      windowEnd: importProcesses.windowEnd,
      startedAt: importProcesses.startedAt,
      finishedAt: importProcesses.finishedAt,
      leaseUntil: importProcesses.leaseUntil,
      attempts: importProcesses.attempts,
      payloadBytes: importProcesses.payloadBytes,
      erasedAt: importProcesses.erasedAt,
      body: payloads.body,
    })
    .from(suppliers)
    .crossJoin(importProcesses)
    .crossJoin(payloads)
    .where(and(isNamed($), eq(payloads.id, importProcesses.id))),
);

export type ProcessRow = RowOfQuery<ReturnType<typeof processByNumber>>;

/** What turns a process id into an account number, and back. */
export const numberKey = prepared(() =>
  db.select({ value: serviceKeys.value }).from(serviceKeys).where(eq(serviceKeys.name, 'account_number')),
);

/** The process of an account by its id, if that has this account number, and the code of its supplier. */
export const processOfAccount = prepared(($: Values<{ id: number; accountNumber: string }>) =>
  db
    .select({ supplierCode: suppliers.code, ...LISTED })
    .from(accounts)
    .crossJoin(importProcesses)
    .crossJoin(suppliers)
    .where(
      and(
        eq(accounts.id, $.id),
        eq(importProcesses.supplierId, accounts.supplierId),
        eq(importProcesses.id, accounts.id),
        eq(suppliers.id, accounts.supplierId),
        eq(importProcesses.accountNumber, $.accountNumber),
      ),
    ),
);

export type FoundRow = RowOfQuery<ReturnType<typeof processOfAccount>>;

/** Events beyond the happy path, oldest first. */
export const eventsOf = prepared(($: Values<PairValues>) =>
  db
    .select({ event: importProcessEvents.event, occurredAt: importProcessEvents.occurredAt, data: importProcessEvents.data })
    .from(suppliers)
    .crossJoin(importProcesses)
    .crossJoin(importProcessEvents)
    .where(and(isNamed($), eq(importProcessEvents.processId, importProcesses.id)))
    .orderBy(importProcessEvents.occurredAt)
    .limit(1_000),
);

export type EventRow = RowOfQuery<ReturnType<typeof eventsOf>>;

interface TransitionValues extends AuditValues {
  readonly supplierId: number;
  readonly externalAccountNumber: string;
}

const processIn = (status: number, $: Values<TransitionValues>) =>
  and(
    eq(importProcesses.supplierId, $.supplierId),
    eq(importProcesses.externalAccountNumber, $.externalAccountNumber),
    eq(importProcesses.status, status),
  );

/** The audit entry of a cancellation: written while the process is PENDING. */
export const auditCancellation = prepared(($: Values<TransitionValues>) =>
  auditing($, exists(db.select({ id: importProcesses.id }).from(importProcesses).where(processIn(STATUS.PENDING, $)))),
);

/** The audit entry of a retry: written while the process can be retried. */
export const auditRetry = prepared(($: Values<TransitionValues & { now: number }>) => {
  const retryable = and(processIn(STATUS.ERRORED, $), mayStartAgain($.now), isNotComplete($.supplierId));
  return auditing($, exists(db.select({ id: importProcesses.id }).from(importProcesses).where(retryable)));
});

/** The audit entry of a retry by code: written while the supplier is not Complete. */
export const auditRetries = prepared(($: Values<AuditValues & { supplierId: number }>) => auditing($, isNotComplete($.supplierId)));

/** The audit entry of a reveal: written while the payload is there. */
export const auditReveal = prepared(($: Values<AuditValues & PairValues>) => {
  const payload = db
    .select({ id: payloads.id })
    .from(suppliers)
    .crossJoin(importProcesses)
    .crossJoin(payloads)
    .where(and(isNamed($), eq(payloads.id, importProcesses.id), ne(payloads.body, '')));
  return auditing($, exists(payload));
});

const MINUTE = { minute: importsPerMinute.minute, processed: importsPerMinute.processed, errored: importsPerMinute.errored };

/** What was imported since a minute (Unix minutes), oldest first. Minutes without imports have no row. */
export const importsSince = prepared(($: Values<{ supplierId: number; minute: number }>) =>
  db
    .select(MINUTE)
    .from(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, $.supplierId), gte(importsPerMinute.minute, $.minute)))
    .orderBy(importsPerMinute.minute),
);

/** The same for every supplier. */
export const allImportsSince = prepared(($: Values<{ minute: number }>) =>
  db
    .select({ supplierId: importsPerMinute.supplierId, ...MINUTE })
    .from(suppliers)
    .crossJoin(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, suppliers.id), gte(importsPerMinute.minute, $.minute))),
);
