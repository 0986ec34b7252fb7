/**
 * Suppliers as this isolate last read them, so that a create asks D1 once instead of twice. What is remembered may be old: it
 * may only lead to a write that repeats it in SQL (`version`, status, key), never to a refusal.
 */
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';

const MAX_SUPPLIERS = 1_000;

const remembered = new WeakMap<D1Database, Map<string, Supplier>>();

const nameOf = (caller: Caller, code: string): string => JSON.stringify([caller.organisationId, code]);

/** The supplier as it was last read for this caller's organisation. */
export const recallSupplier = (db: D1Database, caller: Caller, code: string | undefined): Supplier | undefined =>
  code === undefined ? undefined : remembered.get(db)?.get(nameOf(caller, code));

/** Keeps a supplier that was just read. */
export function rememberSupplier(db: D1Database, caller: Caller, supplier: Supplier): void {
  let suppliers = remembered.get(db);
  if (!suppliers || suppliers.size >= MAX_SUPPLIERS) {
    suppliers = new Map();
    remembered.set(db, suppliers);
  }
  suppliers.set(nameOf(caller, supplier.code), supplier);
}
