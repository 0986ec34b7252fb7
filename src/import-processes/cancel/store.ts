/**
 * The statements that cancel a process because somebody asks for it. The condition is in the write, so the database decides.
 */

import {
  and,
  apiKeys,
  db,
  eq,
  importProcessEvents,
  importProcesses,
  insertSelect,
  prepared,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { recordImports } from '../../events';
import { type Caller, isCallerActive } from '../../tokens';
import { EVENT, statusAfter } from '../machine';
import { importOfEvent, may } from '../store-conditions';

interface Cancelled {
  readonly externalAccountNumber: string;
  readonly now: number;
}
interface OfSupplier {
  readonly supplierId: number;
}
interface OfCaller {
  readonly supplierCode: string;
  readonly apiKeyId: string;
  readonly organisationId: string;
}

/** The caller's supplier, while its key is in force. */
export const supplierOfCaller = ($: Values<OfCaller>): SQL<number> =>
  sql`${db
    .select({ id: suppliers.id })
    .from(suppliers)
    .innerJoin(apiKeys, eq(apiKeys.organisationId, suppliers.organisationId))
    .where(and(eq(suppliers.code, $.supplierCode), isCallerActive($)))}`;

const isCancellable = ($: Values<Cancelled>, supplierId: SQL<number>) =>
  and(eq(importProcesses.supplierId, supplierId), eq(importProcesses.externalAccountNumber, $.externalAccountNumber), may('cancel'));

const cancelEvent = ($: Values<Cancelled>, supplierId: SQL<number>) =>
  insertSelect(
    importProcessEvents,
    { processId: sql`${importProcesses.id}`, occurredAt: $.now, event: EVENT.CANCELLED },
    sql`FROM ${importProcesses} WHERE ${isCancellable($, supplierId)}`,
  ).onConflictDoNothing();

const record = ($: Values<Cancelled>, supplierId: SQL<number>, reason: 'importer' | 'operator') =>
  recordImports(
    $,
    'account_imports.cancelled',
    sql`SELECT ${importProcesses.supplierId}, ${importProcesses.id}, ${importOfEvent()} AS import FROM ${importProcesses}
      WHERE ${isCancellable($, supplierId)}`,
    sql`json_object('reason', ${reason})`,
  );

const cancel = ($: Values<Cancelled>, supplierId: SQL<number>) =>
  db
    .update(importProcesses)
    .set({ status: statusAfter('cancel'), finishedAt: $.now, modifiedAt: $.now })
    .where(isCancellable($, supplierId))
    .returning({ id: importProcesses.id });

const RECORD = prepared(($: Values<Cancelled & OfSupplier>) => record($, $.supplierId, 'operator'));
const CANCEL_EVENT = prepared(($: Values<Cancelled & OfSupplier>) => cancelEvent($, $.supplierId));
const CANCEL = prepared(($: Values<Cancelled & OfSupplier>) => cancel($, $.supplierId));
const RECORD_OF_CALLER = prepared(($: Values<Cancelled & OfCaller>) => record($, supplierOfCaller($), 'importer'));
const CANCEL_EVENT_OF_CALLER = prepared(($: Values<Cancelled & OfCaller>) => cancelEvent($, supplierOfCaller($)));
const CANCEL_OF_CALLER = prepared(($: Values<Cancelled & OfCaller>) => cancel($, supplierOfCaller($)));

/** PENDING → CANCELLED, for the operator. The last statement answers a row if it happened. */
export function cancelProcess(supplierId: number, externalAccountNumber: string, now: number) {
  const given = { supplierId, externalAccountNumber, now };
  return [RECORD(given), CANCEL_EVENT(given), CANCEL(given)] as const;
}

/** The same for an importer, who names the supplier by its code. */
export function cancelOfCaller({ apiKeyId, organisationId }: Caller, supplierCode: string, externalAccountNumber: string, now: number) {
  const given = { apiKeyId, organisationId, supplierCode, externalAccountNumber, now };
  return [RECORD_OF_CALLER(given), CANCEL_EVENT_OF_CALLER(given), CANCEL_OF_CALLER(given)] as const;
}
