/**
 * Adds transactions to an imported account (§4.2): all or nothing, each dated within the open statement period.
 */
import type * as z from 'zod';
import { type Addition, addOne, type Refusal } from '../additions';
import type { Deps } from '../deps';
import { parse } from '../shared/parse';
import { dateIn } from '../shared/time-zones';
import type { Caller } from '../tokens';
import { openPeriod } from './period';
import {
  outsideErrors,
  type PostingOptions,
  postingOf,
  type StoredTransaction,
  type TransactionResult,
  transactionResults,
} from './posting';
import { transactionListErrors } from './rules';
import { addParameters, isOn, transactionsBody } from './schema';
import { addingPostings, type PostingToAdd } from './store';
import { TRANSACTION_SOURCE, transactionRowsOf } from './transaction';

export type AddTransactionsOutcome = Refusal | { readonly kind: 'added'; readonly results: readonly TransactionResult[] };

/** Query parameters as sent. */
type Query = Readonly<Record<string, string>>;

/** What a request adds. */
function transactionsAddition(
  { now: clock, mint }: Pick<Deps, 'now' | 'mint'>,
  raw: unknown,
  query: Query,
): Addition<z.output<typeof transactionsBody>, PostingToAdd, ReadonlyMap<string, StoredTransaction>, AddTransactionsOutcome> {
  const [parsed, parameters] = [parse(transactionsBody, raw), parse(addParameters, query)];
  const { import_supplier, external_account_number, transactions = [] } = parsed.draft;
  const now = clock();
  const options: PostingOptions = {
    checks: isOn(parameters.draft.check_previously_added),
    moves: isOn(parameters.draft.force_add_to_current_statement),
    request: mint(),
    createdAt: now,
  };
  return {
    raw,
    parsed,
    pair: { supplierCode: import_supplier, externalAccountNumber: external_account_number },
    ruleErrors: (supplier) => [
      ...transactionListErrors({ path: ['transactions'], items: transactions }, supplier?.configuration),
      ...parameters.errors,
    ],
    documents: [],
    prepare: (value, target) => {
      const { supplier, account } = target;
      const period = openPeriod(account, dateIn(now, supplier.configuration.time_zone));
      const dated = transactionRowsOf(account.id, value.transactions, { source: TRANSACTION_SOURCE.posted, ledger: null }, now);
      const posting = postingOf(dated, period, options);
      if (!options.checks && posting.barred.length > 0) {
        return { kind: 'answered', outcome: { kind: 'invalid', errors: outsideErrors(dated, period, new Map()) } };
      }
      return {
        kind: 'write',
        write: { target, posting },
        items: new Set(dated.map(({ transactionId }) => transactionId)),
        outcomeOf: (earlier) => {
          const errors = options.moves ? [] : outsideErrors(dated, period, earlier);
          return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'added', results: transactionResults(posting.rows, earlier) };
        },
      };
    },
  };
}

export const addTransactions = (deps: Deps, caller: Caller, raw: unknown, query: Query): Promise<AddTransactionsOutcome> =>
  addOne(deps, caller, transactionsAddition(deps, raw, query), addingPostings);

/** Adds by each line of a bulk body. */
export const transactionsInBulk = (deps: Pick<Deps, 'now' | 'mint'>, query: Query) => ({
  read: (raw: unknown) => transactionsAddition(deps, raw, query),
  adding: addingPostings,
});
