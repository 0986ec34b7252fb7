/**
 * What many requests are validated by, read in one trip.
 */
import {
  accounts,
  and,
  commitPart,
  db,
  eq,
  importProcesses,
  joined,
  part,
  prepared,
  type RowValues,
  rowsOf,
  suppliers,
  type Values,
} from '../db';
import { supplierIn, UNREADABLE } from '../suppliers';
import type { Caller } from '../tokens';
import { ACCOUNT, type AccountFacts, importedAccountOf, PROCESS, supplierFacts } from './facts';

/** An account as a request names it; what is missing finds nothing. */
export interface Pair {
  readonly supplierCode: string | undefined;
  readonly externalAccountNumber: string | undefined;
}

const pairs = rowsOf('pairs', { supplierCode: suppliers.code, externalAccountNumber: importProcesses.externalAccountNumber });

const IMPORTED = prepared(($: Values<{ pairs: RowValues<typeof pairs>; organisationId: string }>) =>
  db
    .select({
      supplierCode: pairs.row.supplierCode,
      account: ACCOUNT,
      process: PROCESS,
    })
    .from(pairs.from($.pairs))
    .innerJoin(suppliers, and(eq(suppliers.code, pairs.row.supplierCode), eq(suppliers.organisationId, $.organisationId)))
    .innerJoin(
      importProcesses,
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, pairs.row.externalAccountNumber)),
    )
    .innerJoin(accounts, eq(accounts.id, importProcesses.id)),
);

/** The facts of many pairs, by pair. Of a supplier that cannot be read there are none. */
export type FactsOfMany = (pair: Pair) => AccountFacts | typeof UNREADABLE;

/** Loads the facts of the pairs of one database in one trip. `key_revoked`: the caller's key is not in force. */
export async function loadManyFacts(database: D1Database, caller: Caller, named: readonly Pair[]): Promise<FactsOfMany | 'key_revoked'> {
  const codes = new Set(named.flatMap(({ supplierCode = [] }) => supplierCode));
  const whole = new Map(
    named.flatMap(({ supplierCode, externalAccountNumber }) =>
      supplierCode === undefined || externalAccountNumber === undefined
        ? []
        : [[keyOf({ supplierCode, externalAccountNumber }), { supplierCode, externalAccountNumber }]],
    ),
  );
  const [known, imported] = await commitPart(
    database,
    joined(
      suppliersAgain(caller, [...codes]),
      part([IMPORTED({ pairs: pairs.value([...whole.values()]), organisationId: caller.organisationId })], ([rows]) => rows),
    ),
  );
  if (!known) return 'key_revoked';
  const accountsByPair = new Map(
    imported.map((row) => [
      keyOf({ supplierCode: row.supplierCode, externalAccountNumber: row.process.externalAccountNumber }),
      importedAccountOf(row),
    ]),
  );
  return (pair) => {
    const supplier = known.get(pair.supplierCode ?? '');
    if (supplier === UNREADABLE) return UNREADABLE;
    return { isCallerActive: true, supplier, account: accountsByPair.get(keyOf(pair)) };
  };
}

const keyOf = ({ supplierCode, externalAccountNumber }: Pair): string => JSON.stringify([supplierCode, externalAccountNumber]);

/**
 * Reads suppliers by their codes: in the batch of writes they show for whom {@link isUnchanged} held. Undefined: the caller's key is
 * not in force.
 */
export const suppliersAgain = (caller: Caller, codes: readonly string[]) =>
  part([supplierFacts(caller, codes.length > 0 ? codes : [''])], ([rows]) =>
    rows.length === 0 ? undefined : new Map(rows.map(({ code, supplier }) => [code, supplierIn(supplier)])),
  );
