/**
 * Decides what becomes of claimed processes: judged again by the same rules as at the create, save the supplier's status.
 */
import type { Deps } from '../../deps';
import { judgeDocuments, keysOf, lookUpDocuments, type NamesDocuments } from '../../documents';
import type { Claim, ClaimedRow, Outcome } from '../../import-processes';
import { errorItem } from '../../shared/errors';
import { parseExactly } from '../../shared/literals';
import type { Supplier } from '../../suppliers';
import type { Account } from '../schema';
import { type AccountJudgement, allErrors, judgeAccount } from '../validation/judge';
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

interface Judged extends NamesDocuments {
  readonly row: ClaimedRow;
  readonly supplier: Supplier;
  readonly judgement: AccountJudgement;
}

/** What was decided of a slice, and what was not. */
export interface Decided {
  readonly decisions: readonly Decision[];
  /** Infrastructure or the judgement itself failed: to be tried again. */
  readonly failed: readonly ClaimedRow[];
  /** This invocation may make no more calls: for another one. */
  readonly left: readonly ClaimedRow[];
}

/**
 * Decides a slice: judged as of its claim, created at `at` (Unix milliseconds). `beforeCall` runs before each call of the
 * document store.
 */
export async function decideAll(deps: Deps, claim: Claim, at: number, beforeCall: () => Promise<void>): Promise<Decided> {
  const failed: ClaimedRow[] = [];
  const judged = claim.rows.flatMap((row) => {
    const supplier = claim.suppliers.get(row.supplierId);
    try {
      if (supplier) return [judge(row, supplier, claim.at)];
    } catch (error) {
      deps.log.error('account_not_judged', error, { process_id: row.id });
    }
    failed.push(row);
    return [];
  });
  const documents = await lookUpDocuments(deps, judged, beforeCall);
  const known = Map.groupBy(judged, (one) => documents.knownOf(one));
  return {
    decisions: (known.get('all') ?? []).map((one) => decide(one, documents.missing, claim, at)),
    failed: [...failed, ...(known.get('failed') ?? []).map(({ row }) => row)],
    left: (known.get('unasked') ?? []).map(({ row }) => row),
  };
}

function judge(row: ClaimedRow, supplier: Supplier, at: number): Judged {
  const judgement = judgeAccount(parseExactly(row.body), supplier, at);
  return { row, supplier, judgement, documentKeys: keysOf(supplier.configuration.documents_root, judgement.documentPaths) };
}

function decide({ row, supplier, judgement }: Judged, missing: ReadonlySet<string>, claim: Claim, at: number): Decision {
  const { id, externalAccountNumber, runId, run } = row;
  const key = { supplierId: supplier.id, id, externalAccountNumber, runId, run };
  const documents = judgeDocuments(supplier.configuration.documents_root, judgement.documentPaths, missing);
  const errors = allErrors(judgement, documents).map(errorItem);
  const isDryRun = row.isDryRun === 1;
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
