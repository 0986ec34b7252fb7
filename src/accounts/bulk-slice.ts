/**
 * One slice of a bulk request: judged together, stored in one trip, answered line by line. A bad line never touches another.
 */
import { loadSuppliers } from '../account-facts';
import type { Deps } from '../deps';
import { judgeDocuments } from '../documents';
import { type Staged, stageAccounts } from '../import-processes';
import { type ErrorItem, errorItem, fieldError } from '../shared/errors';
import { type Supplier, UNREADABLE } from '../suppliers';
import type { Caller } from '../tokens';
import { lookUpDocuments } from './documents';
import { type AccountJudgement, allErrors, judgeRead, type ReadAccount, supplierErrors } from './judge';
import { stagedAccountOf, TOO_LARGE_TO_STAGE } from './staged';

export type BulkMode = 'create' | 'validate';

/** A line that holds JSON. */
export interface BulkAccount {
  readonly line: number;
  readonly text: string;
  readonly read: ReadAccount;
}

/** What became of a line. FAILED is our own failure: the line is to be sent again. */
export interface BulkResult {
  readonly line: number;
  readonly external_account_number?: string | undefined;
  readonly status: 'SCHEDULED' | 'VALID' | 'INVALID' | 'ALREADY_IMPORTED' | 'IN_PROGRESS' | 'FAILED';
  readonly errors?: readonly ErrorItem[];
  readonly account_id?: string;
}

/** Suppliers as they were read for this request, by code. Undefined: there is none of this caller's. */
export type KnownSuppliers = Map<string, Supplier | typeof UNREADABLE | undefined>;

/** How often a line is judged anew because its supplier changed under it. */
const MAX_JUDGEMENTS = 3;

interface Judged {
  readonly account: BulkAccount;
  readonly judgement: AccountJudgement;
  readonly supplier: Supplier;
}

/** Answers one result for each account, in order. The accounts of a slice name no pair twice. */
export async function settleSlice(
  deps: Deps,
  caller: Caller,
  mode: BulkMode,
  accounts: readonly BulkAccount[],
  suppliers: KnownSuppliers,
): Promise<BulkResult[]> {
  const results = new Map<number, BulkResult>();
  for (let attempt = 0; attempt < MAX_JUDGEMENTS && results.size < accounts.length; attempt++) {
    const open = accounts.filter(({ line }) => !results.has(line));
    try {
      for (const result of await settle(deps, caller, mode, open, suppliers)) results.set(result.line, result);
    } catch (error) {
      deps.log.error('bulk_slice_failed', error, { lines: open.length });
      break;
    }
    // Creating repeats what it judged by as a guard in SQL; where nothing is written, or nothing was allowed, the next slice reads anew.
    if (mode === 'validate' || results.size < accounts.length) suppliers.clear();
    for (const [code, supplier] of suppliers) if (supplier === UNREADABLE || supplier?.status !== 'Ongoing') suppliers.delete(code);
  }
  return accounts.map((account) => results.get(account.line) ?? resultOf(account, 'FAILED'));
}

/** Results for all but those whose supplier changed since it was read. */
async function settle(deps: Deps, caller: Caller, mode: BulkMode, accounts: readonly BulkAccount[], suppliers: KnownSuppliers) {
  await readSuppliers(deps, caller, accounts, suppliers);
  const results: BulkResult[] = [];
  const judged: Judged[] = [];
  const now = deps.now();
  for (const account of accounts) {
    const { read } = account;
    const supplier = suppliers.get(read.supplierCode ?? '');
    if (supplier === UNREADABLE) {
      results.push(resultOf(account, 'FAILED'));
      continue;
    }
    const judgement = judgeRead(read, supplier, now);
    if (supplier) judged.push({ account, judgement, supplier });
    else
      results.push(
        invalid(
          account,
          allErrors(judgement, supplierErrors(read, undefined), judgeDocuments('', judgement.documentPaths, new Set())).map(errorItem),
        ),
      );
  }
  const documentsOfAll = await lookUpDocuments(deps, judged);
  const valid: Judged[] = [];
  for (const one of judged) {
    const { account, judgement, supplier } = one;
    if (documentsOfAll.knownOf(one) !== 'all') {
      results.push(resultOf(account, 'FAILED'));
      continue;
    }
    const documents = judgeDocuments(supplier.configuration.documents_root, judgement.documentPaths, documentsOfAll.missing);
    const errors = allErrors(judgement, supplierErrors(account.read, supplier), documents);
    if (errors.length > 0) results.push(invalid(account, errors.map(errorItem)));
    else valid.push(one);
  }
  return [...results, ...(mode === 'validate' ? valid.map(({ account }) => resultOf(account, 'VALID')) : await stage(deps, caller, valid))];
}

async function readSuppliers(deps: Deps, caller: Caller, accounts: readonly BulkAccount[], suppliers: KnownSuppliers): Promise<void> {
  const codes = new Set(accounts.flatMap(({ read }) => (read.supplierCode === undefined ? [] : [read.supplierCode])));
  const unread = [...codes].filter((code) => !suppliers.has(code));
  if (unread.length === 0) return;
  const found = await loadSuppliers(deps, caller, unread);
  if (!found) throw new Error('the key was revoked while its request was worked on');
  for (const [code, supplier] of found) suppliers.set(code, supplier);
}

async function stage(deps: Deps, caller: Caller, valid: readonly Judged[]): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const [supplier, members] of Map.groupBy(valid, (one) => one.supplier)) {
    const staged = members.flatMap(({ judgement, account }) => {
      const row = stagedAccountOf(judgement, account.text);
      if (!row) results.push(invalid(account, [errorItem(TOO_LARGE_TO_STAGE)]));
      return row ? [{ account, row }] : [];
    });
    const rows = staged.map(({ row }) => row);
    const outcomes = rows.length > 0 ? await stageAccounts(deps, rows, supplier, caller) : [];
    staged.forEach(({ account }, index) => {
      const outcome = outcomes[index];
      const result = outcome && resultOfStaged(account, outcome);
      if (result) results.push(result);
    });
  }
  return results;
}

function resultOfStaged(account: BulkAccount, outcome: Staged): BulkResult | undefined {
  switch (outcome.kind) {
    case 'scheduled':
      return resultOf(account, 'SCHEDULED');
    case 'in_progress':
      return resultOf(account, 'IN_PROGRESS');
    case 'already_imported':
      return { ...resultOf(account, 'ALREADY_IMPORTED'), account_id: outcome.accountNumber };
    case 'not_taken':
      return resultOf(account, 'FAILED');
    case 'judged_on_old_facts':
      return undefined;
  }
}

const resultOf = ({ line, read }: BulkAccount, status: BulkResult['status']): BulkResult => ({
  line,
  external_account_number: read.externalAccountNumber,
  status,
});

const invalid = (account: BulkAccount, errors: readonly ErrorItem[]): BulkResult => ({ ...resultOf(account, 'INVALID'), errors });

/** A line that holds no account at all. */
export const unreadableLine = (line: number, code: string, detail: string): BulkResult => ({
  line,
  status: 'INVALID',
  errors: [errorItem(fieldError([], code, detail))],
});
