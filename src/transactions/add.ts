/**
 * Adds transactions to an imported account (§4.2): all or nothing, each dated within the open statement period.
 */
import { admit, heldGuard, loadAccountFacts, MAX_JUDGEMENTS } from '../account-facts';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { dateIn } from '../shared/time-zones';
import type { Caller } from '../tokens';
import { openPeriod } from './period';
import { outsideErrors, type PostingOptions, postingOf, type TransactionResult, transactionResults } from './posting';
import { type FailedTransaction, failedTransaction } from './refusal';
import { transactionListErrors } from './rules';
import { addParameters, isOn, transactionsBody } from './schema';
import { addPosting } from './store';
import { TRANSACTION_SOURCE, transactionRowsOf } from './transaction';

export type AddTransactionsOutcome =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly failed: FailedTransaction | undefined }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'added'; readonly results: readonly TransactionResult[] };

/** `query` holds the query parameters as sent. */
export async function addTransactions(
  deps: Deps,
  caller: Caller,
  raw: unknown,
  query: Readonly<Record<string, string>>,
): Promise<AddTransactionsOutcome> {
  const refused = (errors: readonly FieldError[]) => ({ kind: 'invalid', errors, failed: failedTransaction(raw, errors) }) as const;
  const [parsed, parameters] = [parse(transactionsBody, raw), parse(addParameters, query)];
  const { import_supplier, external_account_number, transactions = [] } = parsed.draft;
  const now = deps.now();
  const options: PostingOptions = {
    checks: isOn(parameters.draft.check_previously_added),
    moves: isOn(parameters.draft.force_add_to_current_statement),
    request: deps.mint(),
    createdAt: now,
  };
  let facts = await loadAccountFacts(deps, caller, import_supplier, external_account_number);
  for (let judged = 0; judged < MAX_JUDGEMENTS; judged++) {
    const ruleErrors = transactionListErrors({ path: ['transactions'], items: transactions }, facts.supplier?.configuration);
    const admission = admit(raw, parsed, [...ruleErrors, ...parameters.errors], facts);
    if (admission.kind === 'invalid') return refused(admission.errors);
    if (admission.kind !== 'admitted') return admission;
    const { value, supplier, account } = admission;
    const period = openPeriod(account, dateIn(now, supplier.configuration.time_zone));
    const dated = transactionRowsOf(account.id, value.transactions, { source: TRANSACTION_SOURCE.posted, ledger: null }, now);
    const posting = postingOf(dated, period, options);
    if (!options.checks && posting.barred.length > 0) return refused(outsideErrors(dated, period, new Map()));
    const stored = await addPosting(deps, caller, value, { supplier, account }, posting);
    if (heldGuard(stored.facts, supplier)) {
      const errors = options.moves ? [] : outsideErrors(dated, period, stored.earlier);
      return errors.length > 0 ? refused(errors) : { kind: 'added', results: transactionResults(posting.rows, stored.earlier) };
    }
    facts = stored.facts;
  }
  throw new Error('the supplier kept changing while transactions were added');
}
