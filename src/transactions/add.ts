/**
 * Adds transactions to an imported account (§4.2): all or nothing, each dated within the open statement period.
 */
import { type AccountFacts, loadAccountFacts } from '../account-facts';
import { type Attempt, addToAccount, type Refusal } from '../additions';
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

type PostingOutcome =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'added'; readonly results: readonly TransactionResult[] };

export type AddTransactionsOutcome =
  | Exclude<Refusal | PostingOutcome, { readonly kind: 'invalid' }>
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly failed: FailedTransaction | undefined };

/** `query` holds the query parameters as sent. */
export async function addTransactions(
  deps: Deps,
  caller: Caller,
  raw: unknown,
  query: Readonly<Record<string, string>>,
): Promise<AddTransactionsOutcome> {
  const [parsed, parameters] = [parse(transactionsBody, raw), parse(addParameters, query)];
  const { import_supplier, external_account_number, transactions = [] } = parsed.draft;
  const now = deps.now();
  const options: PostingOptions = {
    checks: isOn(parameters.draft.check_previously_added),
    moves: isOn(parameters.draft.force_add_to_current_statement),
    request: deps.mint(),
    createdAt: now,
  };
  const outcome = await addToAccount(deps, caller, {
    raw,
    parsed,
    load: () => loadAccountFacts(deps, caller, import_supplier, external_account_number),
    ruleErrors: (supplier) => [
      ...transactionListErrors({ path: ['transactions'], items: transactions }, supplier?.configuration),
      ...parameters.errors,
    ],
    documents: [],
    store: async (value, target): Promise<Attempt<AccountFacts, PostingOutcome>> => {
      const { supplier, account } = target;
      const period = openPeriod(account, dateIn(now, supplier.configuration.time_zone));
      const dated = transactionRowsOf(account.id, value.transactions, { source: TRANSACTION_SOURCE.posted, ledger: null }, now);
      const posting = postingOf(dated, period, options);
      if (!options.checks && posting.barred.length > 0) {
        return { kind: 'answered', outcome: { kind: 'invalid', errors: outsideErrors(dated, period, new Map()) } };
      }
      const { facts, earlier } = await addPosting(deps, target, posting);
      const errors = options.moves ? [] : outsideErrors(dated, period, earlier);
      return {
        kind: 'written',
        facts,
        outcome: () =>
          errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'added', results: transactionResults(posting.rows, earlier) },
      };
    },
  });
  return outcome.kind === 'invalid' ? { ...outcome, failed: failedTransaction(raw, outcome.errors) } : outcome;
}
