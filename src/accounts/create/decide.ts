/**
 * Decides what becomes of claimed processes: validated again by the same rules as at the create, save the supplier's status.
 */
import type { Deps } from '../../deps';
import { documentPathErrors, keysOf, lookUpDocuments, type NamesDocuments } from '../../documents';
import type { Claim, ClaimedRow, Outcome } from '../../import-processes';
import { errorItem } from '../../shared/errors';
import { parseExactly } from '../../shared/literals';
import type { Supplier } from '../../suppliers';
import type { Account } from '../schema';
import { allErrors, type CheckedAccount, checkAccount } from '../validation/check';
import type { PhoneNumbers } from '../validation/rules-phones';

/** An account that is to be created. */
export interface NewAccount {
  readonly id: number;
  readonly account: Account;
  readonly supplier: Supplier;
  readonly phoneNumbers: PhoneNumbers;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** An outcome, and the account where one is to be created. */
export interface Decision {
  readonly outcome: Outcome;
  readonly created?: NewAccount;
}

interface CheckedRow extends NamesDocuments {
  readonly row: ClaimedRow;
  readonly supplier: Supplier;
  readonly checkedAccount: CheckedAccount;
}

/** What was decided of a slice, and what was not. */
export interface Decided {
  readonly decisions: readonly Decision[];
  /** Infrastructure or the validation itself failed: to be tried again. */
  readonly failed: readonly ClaimedRow[];
  /** This invocation may make no more calls: for another one. */
  readonly left: readonly ClaimedRow[];
}

/**
 * Decides a slice: validated as of its claim, created at `at` (Unix milliseconds). `beforeCall` runs before each call of the
 * document store.
 */
export async function decideAll(deps: Deps, claim: Claim, at: number, beforeCall: () => Promise<void>): Promise<Decided> {
  const failed: ClaimedRow[] = [];
  const checkedRows = claim.rows.flatMap((row) => {
    const supplier = claim.suppliers.get(row.supplierId);
    try {
      if (supplier) return [checkRow(row, supplier, claim.at)];
    } catch (error) {
      deps.log.error('account_not_checked', error, { process_id: row.id });
    }
    failed.push(row);
    return [];
  });
  const documents = await lookUpDocuments(deps, checkedRows, beforeCall);
  const known = Map.groupBy(checkedRows, (one) => documents.knownOf(one));
  return {
    decisions: (known.get('all') ?? []).map((one) => decide(one, documents.missing, claim, at)),
    failed: [...failed, ...(known.get('failed') ?? []).map(({ row }) => row)],
    left: (known.get('unasked') ?? []).map(({ row }) => row),
  };
}

function checkRow(row: ClaimedRow, supplier: Supplier, at: number): CheckedRow {
  const checkedAccount = checkAccount(parseExactly(row.body), supplier, at);
  return { row, supplier, checkedAccount, documentKeys: keysOf(supplier.configuration.documents_root, checkedAccount.documentPaths) };
}

function decide({ row, supplier, checkedAccount }: CheckedRow, missing: ReadonlySet<string>, claim: Claim, at: number): Decision {
  const key = { supplierId: supplier.id, id: row.id, externalAccountNumber: row.externalAccountNumber, runId: row.runId };
  const documents = documentPathErrors(supplier.configuration.documents_root, checkedAccount.documentPaths, missing);
  const errors = allErrors(checkedAccount, documents).map(errorItem);
  const isDryRun = row.isDryRun === 1;
  const account = checkedAccount.value;
  if (errors.length > 0 || !account) {
    const error = { code: 'import_process_failed_validation', detail: 'The account data failed validation.', errors };
    return { outcome: { ...key, status: isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED', error } };
  }
  if (isDryRun) return { outcome: { ...key, status: 'DRY_RUN_SUCCEEDED' } };
  return {
    outcome: { ...key, status: 'PROCESSED', accountNumber: claim.accountNumberOf(row.id) },
    created: { id: row.id, account, supplier, phoneNumbers: checkedAccount.phoneNumbers ?? new Map(), createdAt: at },
  };
}
