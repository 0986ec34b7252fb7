/** How each kind of addition is sent, and what of its answers is counted. */
import type {
  DataImportClient,
  HistoricalStatementsResult,
  NoteResult,
  PaymentInstructionResult,
  TransactionResult,
  TransactionResults,
} from '../client';
import type { Added, Kind } from './add';
import type { Args } from './command';
import { objectOf } from './files/errors-beside';

/** A kind of addition, by the options of its command. */
export type KindOf<Result> = (client: DataImportClient, args: Args) => Kind<Result>;

const NOTHING: Added = { statuses: [], moved: 0 };

export const notesIn: KindOf<NoteResult[]> = (client) => ({
  way: { kind: 'in_bulk', send: (bodies, signal) => client.addNotesInBulk(bodies, { signal }) },
  added: (results) => ({ statuses: results.map(({ status }) => status), moved: 0 }),
});

/** What is not to be looked up must not be sent twice, so it is not sent in bulk. */
export const transactionsIn: KindOf<TransactionResults> = (client, args) => {
  const forceAddToCurrentStatement = args['force-add-to-current-statement'] !== false;
  const options = { checkPreviouslyAdded: false, forceAddToCurrentStatement };
  return {
    way:
      args['check-previously-added'] === false
        ? { kind: 'one_by_one', send: (body, signal) => client.addTransactions(body, { ...options, signal }), isOnce: true }
        : { kind: 'in_bulk', send: (bodies, signal) => client.addTransactionsInBulk(bodies, { forceAddToCurrentStatement, signal }) },
    added: ({ results }, body) => ({ statuses: results.map(wordOf), moved: movedOf(results, body) }),
  };
};

/** A transaction that the account has with other content counts apart: what was sent is not stored. */
const wordOf = ({ status, differs }: TransactionResult): string => (differs ? `${status}, differs` : status);

function movedOf(results: readonly TransactionResult[], body: string): number {
  const sent = objectOf(body)?.['transactions'];
  if (!Array.isArray(sent)) return 0;
  const dates = sent.map((item: unknown) =>
    typeof item === 'object' && item !== null ? Reflect.get(item, 'transaction_date') : undefined,
  );
  return results.filter(
    ({ status, transaction_data }, index) =>
      status === 'TRANSACTION_ADDED_TO_ACCOUNT' && dates[index] !== undefined && dates[index] !== transaction_data.transaction_date,
  ).length;
}

export const statementsIn: KindOf<HistoricalStatementsResult> = (client) => ({
  way: { kind: 'in_bulk', send: (bodies, signal) => client.addHistoricalStatementsInBulk(bodies, { signal }) },
  added: () => NOTHING,
});

export const instructionsIn: KindOf<PaymentInstructionResult> = (client) => ({
  way: { kind: 'one_by_one', send: (body, signal) => client.addPaymentInstruction(body, { signal }), isOnce: false },
  added: () => NOTHING,
});
