/**
 * Whether the transactions of an account payload and its balances add up (§4.5). Pure.
 *
 * Each holder of lists, the account or one of its ledgers, is validated by itself, in integer minor units.
 */
import { type FieldError, fieldError, type Path, valueAt } from '../../shared/errors';
import { minorUnits } from '../../shared/money';
import { isRefused } from '../../shared/parse';
import type { TransactionDraft, TransactionList } from '../../transactions/pure';
import type { AccountDraft } from '../schema';

type LedgerDraft = NonNullable<NonNullable<AccountDraft['ledgers']>[number]>;
type Transactions = readonly (TransactionDraft | undefined)[];

/** What the account and a ledger have in common. */
type Holder = Pick<
  LedgerDraft,
  'historical_statement_transactions' | 'current_statement_transactions' | 'last_statement_balance' | 'last_statement_closing_date'
>;

const HISTORICAL = 'historical_statement_transactions';
const CURRENT = 'current_statement_transactions';

/** All lists of transactions, in the order in which the payload sends them. */
export function transactionLists(raw: object, account: AccountDraft): TransactionList[] {
  const named = Object.keys(raw).filter((key) => key === HISTORICAL || key === CURRENT || key === 'ledgers');
  return named.flatMap((key) => {
    if (key !== 'ledgers') return listNamed(key, account, []);
    return (account.ledgers ?? []).flatMap((ledger, index) => {
      const path = [key, index];
      return ledger ? Object.keys(valueAt(raw, path) ?? {}).flatMap((field) => listNamed(field, ledger, path)) : [];
    });
  });
}

function listNamed(key: string, holder: Holder, path: Path): TransactionList[] {
  if (key !== HISTORICAL && key !== CURRENT) return [];
  const items = holder[key];
  return items ? [{ path: [...path, key], items }] : [];
}

/** Codes: `date_after_statement_closing`, `date_not_after_statement_closing`. */
export function closingDateErrors(account: AccountDraft): FieldError[] {
  return holdersOf(account).flatMap(({ path, holder }) => {
    const closing = holder.last_statement_closing_date;
    if (closing === undefined) return [];
    return [
      ...datesWhere(holder[HISTORICAL], (date) => date > closing).map((index) =>
        fieldError(
          [...path, HISTORICAL, index, 'transaction_date'],
          'date_after_statement_closing',
          'Enter a date on or before the last statement closing date, or send it as a current transaction.',
        ),
      ),
      ...datesWhere(holder[CURRENT], (date) => date <= closing).map((index) =>
        fieldError(
          [...path, CURRENT, index, 'transaction_date'],
          'date_not_after_statement_closing',
          'Enter a date after the last statement closing date, or send it as a historical transaction.',
        ),
      ),
    ];
  });
}

function datesWhere(items: Transactions = [], isWrong: (date: string) => boolean): number[] {
  const indexes: number[] = [];
  items.forEach((item, index) => {
    if (item?.transaction_date !== undefined && isWrong(item.transaction_date)) indexes.push(index);
  });
  return indexes;
}

/** Code: `balance_mismatch`, at the balance. A sum of which a part is not known is not validated. */
export function balanceErrors(account: AccountDraft): FieldError[] {
  const { ledgers } = account;
  const errors = statementBalanceErrors([], account);
  if (!ledgers && !isRefused(account, 'ledgers')) {
    errors.push(...unequal(['transfer_balance'], account.transfer_balance, closingBalance(account)));
  }
  ledgers?.forEach((ledger, index) => {
    if (!ledger) return;
    errors.push(...statementBalanceErrors(['ledgers', index], ledger));
    errors.push(...unequal(['ledgers', index, 'ledger_balance'], ledger.ledger_balance, closingBalance(ledger)));
  });
  const ledgerBalances = ledgers && total(ledgers, (ledger) => unitsOf(ledger?.ledger_balance));
  return [...errors, ...unequal(['transfer_balance'], account.transfer_balance, ledgerBalances)];
}

const statementBalanceErrors = (path: Path, holder: Holder): FieldError[] =>
  unequal([...path, 'last_statement_balance'], holder.last_statement_balance, sumOf(holder, HISTORICAL));

/** What the holder's own numbers make of its balance: the last statement's, then what came after. */
function closingBalance(holder: Holder): number | undefined {
  const current = sumOf(holder, CURRENT);
  if (current === undefined || isRefused(holder, 'last_statement_balance')) return undefined;
  return (unitsOf(holder.last_statement_balance) ?? 0) + current;
}

function unequal(path: Path, balance: number | string | undefined, expected: number | undefined): FieldError[] {
  const given = unitsOf(balance);
  if (given === undefined || expected === undefined || given === expected) return [];
  return [fieldError(path, 'balance_mismatch', 'Correct this balance, or the transactions and balances that have to add up to it.')];
}

/** A list that was not given adds up to nothing. */
const sumOf = (holder: Holder, list: typeof HISTORICAL | typeof CURRENT): number | undefined =>
  isRefused(holder, list) ? undefined : total(holder[list] ?? [], signedUnits);

/** Credit is positive: CREDIT and PAYMENT add, the rest subtracts. */
function signedUnits(transaction: TransactionDraft | undefined): number | undefined {
  if (transaction?.amount === undefined || transaction.type === undefined) return undefined;
  const units = minorUnits(transaction.amount);
  return transaction.type === 'CREDIT' || transaction.type === 'PAYMENT' ? units : -units;
}

function total<T>(items: readonly T[], units: (item: T) => number | undefined): number | undefined {
  let sum = 0;
  for (const item of items) {
    const part = units(item);
    if (part === undefined) return undefined;
    sum += part;
  }
  return sum;
}

const unitsOf = (amount: number | string | undefined): number | undefined => (amount === undefined ? undefined : minorUnits(amount));

const holdersOf = (account: AccountDraft): { path: Path; holder: Holder }[] => [
  { path: [], holder: account },
  ...(account.ledgers ?? []).flatMap((ledger, index) => (ledger ? [{ path: ['ledgers', index], holder: ledger }] : [])),
];
