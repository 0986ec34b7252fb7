/**
 * Every row of new accounts, in all rooms, as the writes of one batch.
 */
import type { Write } from '../../db';
import { documentKey } from '../../documents';
import { insertNotes, NOTE_SOURCE, noteRowsOf } from '../../notes';
import { insertPaymentInstructions } from '../../payment-instructions';
import { dateIn } from '../../shared/time-zones';
import { insertStatements, statementRowsOf } from '../../statements';
import { insertTransactions, TRANSACTION_SOURCE, type TransactionRow, transactionRowsOf } from '../../transactions';
import { commitsOf } from '../commits/commits';
import { customersOf, openPeriodOf, payloadInstructionsOf } from '../payload/reading';
import { balanceOf } from '../payload/rules-totals';
import type { Account } from '../schema';
import type { NewAccount } from './decide';
import { insertAccounts, insertCustomers } from './store';

/** The writes that create the accounts. Harmless when repeated: what is there already stays as it is. */
export function writesOf(created: readonly NewAccount[]): Write[] {
  return [
    ...commitsOf(created),
    ...insertAccounts(
      created.map(({ id, account, supplier, createdAt }) => ({
        id,
        supplierId: supplier.id,
        createdAt,
        hasAllFields: 1,
        isListed: 1,
        balanceMinor: String(balanceOf(account)),
        ...openPeriodOf(account, dateIn(createdAt, supplier.configuration.time_zone)),
      })),
    ),
    ...insertCustomers(
      created.flatMap(({ id, account, phoneNumbers }) =>
        customersOf(account, phoneNumbers).map((customer) => ({ accountId: id, ...customer })),
      ),
    ),
    ...insertNotes(created.flatMap((one) => noteRowsOf(one.id, one.account.notes ?? [], keyOf(one), one.createdAt, NOTE_SOURCE.payload))),
    ...insertTransactions(created.flatMap(({ id, account, createdAt }) => transactionsOf(id, account, createdAt))),
    ...insertStatements(created.flatMap((one) => statementRowsOf(one.id, one.account.statements ?? [], keyOf(one), one.createdAt))),
    ...insertPaymentInstructions(
      created.flatMap(({ id, account, createdAt }) =>
        payloadInstructionsOf(account).map((instruction) => ({ accountId: id, createdAt, ...instruction })),
      ),
    ),
  ];
}

/** Paths were validated before: each has a key. */
const keyOf =
  ({ supplier }: NewAccount) =>
  (documentPath: string): string => {
    const found = documentKey(supplier.configuration.documents_root, documentPath);
    if (found.kind === 'invalid') throw new Error('a validated document path has no key');
    return found.key;
  };

function transactionsOf(accountId: number, account: Account, now: number): TransactionRow[] {
  const { historical, current } = TRANSACTION_SOURCE;
  const holders = [{ holder: account, ledger: null }, ...(account.ledgers ?? []).map((holder, ledger) => ({ holder, ledger }))];
  return holders.flatMap(({ holder, ledger }) => [
    ...transactionRowsOf(accountId, holder.historical_statement_transactions ?? [], { source: historical, ledger }, now),
    ...transactionRowsOf(accountId, holder.current_statement_transactions ?? [], { source: current, ledger }, now),
  ]);
}
