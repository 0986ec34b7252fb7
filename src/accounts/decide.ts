/**
 * Decides what becomes of claimed processes: judged again by the same rules as at the create, save the supplier's status.
 */
import type { Deps } from '../deps';
import { judgeDocuments } from '../documents';
import type { Claim, ClaimedRow, Outcome } from '../import-processes';
import { errorItem } from '../shared/errors';
import { parseExactly } from '../shared/literals';
import type { Supplier } from '../suppliers';
import { missingDocumentsOf } from './documents';
import { type AccountJudgement, allErrors, judgeAccount } from './judge';
import type { PhoneNumbers } from './rules-phones';
import type { Account } from './schema';

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

interface Judged {
  readonly row: ClaimedRow;
  readonly supplier: Supplier;
  readonly judgement: AccountJudgement;
}

/** Decides a slice: judged as of its claim, created at `at` (Unix milliseconds). What could not be decided, because the documents could not be looked up or the judging broke, is left undecided. */
export async function decideAll(deps: Deps, claim: Claim, at: number): Promise<{ decisions: Decision[]; undecided: ClaimedRow[] }> {
  const undecided: ClaimedRow[] = [];
  const judged = claim.rows.flatMap((row) => {
    try {
      return [judge(row, claim)];
    } catch (error) {
      deps.log.error('account_not_judged', error, { process_id: row.id });
      undecided.push(row);
      return [];
    }
  });
  const missing = await missingDocumentsOf(deps, judged);
  const decisions = judged.flatMap((one) => {
    if (missing === 'unknown' && one.judgement.documentPaths.length > 0) {
      undecided.push(one.row);
      return [];
    }
    return [decide(one, missing === 'unknown' ? new Set() : missing, claim, at)];
  });
  return { decisions, undecided };
}

function judge(row: ClaimedRow, { suppliers, at }: Claim): Judged {
  const supplier = suppliers.get(row.supplier_id);
  if (!supplier) throw new Error('a claimed process has no supplier');
  return { row, supplier, judgement: judgeAccount(parseExactly(row.body), supplier, at) };
}

function decide({ row, supplier, judgement }: Judged, missing: ReadonlySet<string>, claim: Claim, at: number): Decision {
  const key = { supplierId: supplier.id, id: row.id };
  const documents = judgeDocuments(supplier.configuration.documents_root, judgement.documentPaths, missing);
  const errors = allErrors(judgement, documents).map(errorItem);
  const isDryRun = row.is_dry_run === 1;
  const account = judgement.value;
  if (errors.length > 0 || !account) {
    const error = { code: 'import_process_failed_validation', detail: 'The account data failed validation.', errors };
    return { outcome: { ...key, status: isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED', error } };
  }
  if (isDryRun) return { outcome: { ...key, status: 'DRY_RUN_SUCCEEDED' } };
  return {
    outcome: { ...key, status: 'PROCESSED', accountNumber: claim.accountNumberOf(row.id) },
    created: { id: row.id, account, supplier, phoneNumbers: judgement.phoneNumbers ?? new Map(), createdAt: at },
  };
}
