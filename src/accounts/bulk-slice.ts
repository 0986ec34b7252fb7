/**
 * One slice of a bulk request: judged together, stored in one trip, answered line by line. A bad line never touches another.
 */
import type { Deps } from '../deps';
import { judgeDocuments } from '../documents';
import { type Create, type KnownProcesses, type Staged, stageAccounts } from '../import-processes';
import { type ErrorItem, errorItem, type FieldError, fieldError } from '../shared/errors';
import { type Supplier, UNREADABLE } from '../suppliers';
import type { Caller } from '../tokens';
import { lookUpDocuments } from './documents';
import { type AccountJudgement, allErrors, judgeRead, type ReadAccount, supplierErrors } from './judge';
import { readKnown } from './known';
import { createOf, isSameAccount, TOO_LARGE_TO_STAGE } from './staged';

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

/** Answers one result for each account, in order, as if they had come one after the other. */
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
    // Creating repeats in SQL what it validated by; where nothing is asked there, or nothing was allowed, the next slice reads anew. So it
    // does where the accounts were sent before: with their processes read first, no body goes to the database for nothing.
    const isRepeat = [...results.values()].some(({ status }) => status === 'ALREADY_IMPORTED' || status === 'IN_PROGRESS');
    if (mode === 'validate' || isRepeat || results.size < accounts.length) suppliers.clear();
    for (const [code, supplier] of suppliers) if (supplier === UNREADABLE || supplier?.status !== 'Ongoing') suppliers.delete(code);
  }
  return accounts.map((account) => results.get(account.line) ?? resultOf(account, 'FAILED'));
}

/** Results for all but those whose supplier changed since it was read. */
async function settle(deps: Deps, caller: Caller, mode: BulkMode, accounts: readonly BulkAccount[], suppliers: KnownSuppliers) {
  const known = await readSuppliers(deps, caller, mode, accounts, suppliers);
  const results: BulkResult[] = [];
  const judged: Judged[] = [];
  const now = deps.now();
  for (const account of accounts) {
    const { read } = account;
    const supplier = suppliers.get(codeOf(account));
    if (supplier === UNREADABLE) {
      results.push(resultOf(account, 'FAILED'));
      continue;
    }
    const judgement = judgeRead(read, supplier, now);
    if (supplier) judged.push({ account, judgement, supplier });
    else
      results.push(
        invalid(account, allErrors(judgement, supplierErrors(read, undefined), judgeDocuments('', judgement.documentPaths, new Set()))),
      );
  }
  const documentsOfAll = await lookUpDocuments(deps, judged);
  const asked: Asked[] = [];
  for (const one of judged) {
    const { account, judgement, supplier } = one;
    if (documentsOfAll.knownOf(one) !== 'all') {
      results.push(resultOf(account, 'FAILED'));
      continue;
    }
    const documents = judgeDocuments(supplier.configuration.documents_root, judgement.documentPaths, documentsOfAll.missing);
    const errors = allErrors(judgement, supplierErrors(account.read, supplier), documents);
    if (mode === 'validate') results.push(errors.length > 0 ? invalid(account, errors) : resultOf(account, 'VALID'));
    else asked.push({ account, errors, create: createOf(judgement, supplier, documents, account.text) });
  }
  return [...results, ...(await stage(deps, caller, asked, known))];
}

/**
 * Reads the suppliers of a slice where one of them is not known, and with them the processes of its pairs: all of them anew, so that
 * they are as of one instant. Undefined: nothing was read.
 */
async function readSuppliers(
  deps: Deps,
  caller: Caller,
  mode: BulkMode,
  accounts: readonly BulkAccount[],
  suppliers: KnownSuppliers,
): Promise<KnownProcesses | undefined> {
  if (accounts.every((account) => suppliers.has(codeOf(account)))) return undefined;
  const reads = accounts.map(({ read }) => read);
  const known = await readKnown(deps, caller, reads, mode === 'create');
  if (!known) throw new Error('the key was revoked while its request was worked on');
  for (const [code, supplier] of known.suppliers) suppliers.set(code, supplier);
  return known.processes;
}

const codeOf = ({ read }: BulkAccount): string => read.supplierCode ?? '';

/** A line of a known supplier, what is wrong with it, and what it asks of its process. */
interface Asked {
  readonly account: BulkAccount;
  readonly errors: readonly FieldError[];
  readonly create: Create;
}

async function stage(deps: Deps, caller: Caller, asked: readonly Asked[], known: KnownProcesses | undefined): Promise<BulkResult[]> {
  const creates = asked.map(({ create }) => create);
  const outcomes = await stageAccounts(deps, caller, creates, isSameAccount, known);
  return asked.flatMap((one, index) => {
    const outcome = outcomes[index];
    return (outcome && resultOfStaged(one, outcome)) ?? [];
  });
}

function resultOfStaged({ account, errors }: Asked, outcome: Staged): BulkResult | undefined {
  switch (outcome.kind) {
    case 'refused':
      return invalid(account, errors.length > 0 ? errors : [TOO_LARGE_TO_STAGE]);
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

const invalid = (account: BulkAccount, errors: readonly FieldError[]): BulkResult => ({
  ...resultOf(account, 'INVALID'),
  errors: errors.map(errorItem),
});

/** A line that holds no account at all. */
export const unreadableLine = (line: number, code: string, detail: string): BulkResult => ({
  line,
  status: 'INVALID',
  errors: [errorItem(fieldError([], code, detail))],
});
