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
import { ACCOUNT, type AccountState, importedAccountOf, PROCESS, supplierState } from './state';
import { type GuardOfMany, guardOfMany, type Target, unchangedAccounts } from './state-guard';

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

/** The state of an account by its pair, or `UNREADABLE` where this release cannot read its supplier. */
export type StateOfPair = (pair: Pair) => AccountState | typeof UNREADABLE;

/** Loads the state of the pairs of one database in one trip. `key_revoked`: the caller's key is not in force. */
export async function loadStates(database: D1Database, caller: Caller, named: readonly Pair[]): Promise<StateOfPair | 'key_revoked'> {
  const codes = new Set(named.flatMap(({ supplierCode = [] }) => supplierCode));
  const whole = new Map(
    named.flatMap(({ supplierCode, externalAccountNumber }) =>
      supplierCode === undefined || externalAccountNumber === undefined
        ? []
        : [[keyOf({ supplierCode, externalAccountNumber }), { supplierCode, externalAccountNumber }]],
    ),
  );
  const [owned, imported] = await commitPart(
    database,
    joined(
      part([supplierState(caller, codes.size > 0 ? [...codes] : [''])], ([rows]) => rows),
      part([IMPORTED({ pairs: pairs.value([...whole.values()]), organisationId: caller.organisationId })], ([rows]) => rows),
    ),
  );
  if (owned.length === 0) return 'key_revoked';
  const known = new Map(owned.map(({ code, supplier }) => [code, supplierIn(supplier)]));
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

const UNCHANGED = prepared(($: Values<GuardOfMany>) => unchangedAccounts($));

/** The ids of the accounts of the targets: in the batch of their writes they show for whom {@link isUnchanged} held. */
export const unchangedOf = (caller: Caller, targets: readonly { readonly target: Target }[]) =>
  part([UNCHANGED(guardOfMany(caller, targets))], ([rows]): ReadonlySet<number> => new Set(rows.map(({ id }) => id)));
