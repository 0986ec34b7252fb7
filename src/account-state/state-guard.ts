/**
 * What additions to accounts repeat in SQL, so that nothing is added by what has changed since it was read.
 */
import {
  accounts,
  and,
  apiKeys,
  db,
  eq,
  exists,
  field,
  importProcesses,
  isNull,
  type RowValues,
  rowsOf,
  suppliers,
  type Values,
} from '../db';
import type { CountedType } from '../events';
import type { Supplier, SupplierStatus } from '../suppliers';
import { type Caller, isCallerActive } from '../tokens';
import { type AccountState, accountState, type ImportedAccount } from './state';

/** The account that a valid request adds to, and what the request was validated by. */
export interface Target {
  readonly caller: Caller;
  readonly supplier: Supplier;
  readonly account: ImportedAccount;
}

/** The event of something that was added to the account. */
export const additionOf = <Type extends CountedType>(type: Type, { supplier, account }: Target, now: number) => ({
  type,
  supplierId: supplier.id,
  now,
  data: { external_account_number: account.externalAccountNumber, platform_account_number: account.accountNumber },
});

/** The values of {@link isUnchanged}. */
export type Guard = CallerGuard & Record<'supplierId' | 'version' | 'accountId', number>;
/** Those that are the same for every request of a caller. */
type CallerGuard = Record<'apiKeyId' | 'organisationId', string>;

/** The accounts that the requests of one batch add to, and the suppliers that they were validated by. */
const guards = rowsOf('guards', { supplierId: field<number>(), version: field<number>(), accountId: field<number>() });

/** The values of {@link unchangedAccounts}. */
export type GuardOfMany = { guards: RowValues<typeof guards> } & CallerGuard;

export function guardOfMany({ apiKeyId, organisationId }: Caller, targets: readonly { readonly target: Target }[]): GuardOfMany {
  const byAccount = new Map(
    targets.map(({ target: { supplier, account } }) => [
      account.id,
      { supplierId: supplier.id, version: supplier.version, accountId: account.id },
    ]),
  );
  return { guards: guards.value([...byAccount.values()]), apiKeyId, organisationId };
}

export const guardOf = ({ caller, supplier, account }: Target): Guard => ({
  apiKeyId: caller.apiKeyId,
  organisationId: caller.organisationId,
  supplierId: supplier.id,
  version: supplier.version,
  accountId: account.id,
});

/**
 * In SQL, true while what a request was validated by is unchanged: the caller's key is in force, the supplier is of the same
 * version, Ongoing, and the account is there: neither erased nor taken back. Every write of an addition repeats it, so that the
 * database decides races.
 */
export const isUnchanged = ({ apiKeyId, organisationId, supplierId, version, accountId }: Values<Guard>) =>
  exists(
    db
      .select({ id: suppliers.id })
      .from(suppliers)
      .innerJoin(apiKeys, eq(apiKeys.organisationId, suppliers.organisationId))
      .innerJoin(importProcesses, and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.id, accountId)))
      .innerJoin(accounts, eq(accounts.id, importProcesses.id))
      .where(
        and(
          isCallerActive({ apiKeyId, organisationId }),
          eq(suppliers.id, supplierId),
          eq(suppliers.version, version),
          eq(suppliers.status, ONGOING),
          isNull(importProcesses.erasedAt),
        ),
      ),
  );

/** The ids of the accounts for which {@link isUnchanged} is true: asked once for all rows of a write, however many. */
export const unchangedAccounts = ({ guards: given, apiKeyId, organisationId }: Values<GuardOfMany>) =>
  db
    .select({ id: guards.row.accountId })
    .from(guards.from(given))
    .where(isUnchanged({ apiKeyId, organisationId, ...guards.row }));

const ONGOING: SupplierStatus = 'Ongoing';

/** Reads the state of the target again. In the batch of its writes it shows whether {@link isUnchanged} held. */
export const stateAgain = ({ caller, supplier, account }: Target) => accountState(caller, supplier.code, account.externalAccountNumber);

/** True if {@link isUnchanged} held in the batch that read this state. */
export const isGuardHeld = (state: AccountState, supplier: Supplier, account: ImportedAccount): boolean =>
  state.isCallerActive &&
  state.supplier?.id === supplier.id &&
  state.supplier.version === supplier.version &&
  state.account?.id === account.id;
