/** The product's own work on an account, for a peer that runs in plain Node: what it checks, and the rows that it makes. */
import { readLine } from '../../src/accounts/bulk/line';
import { customersOf, openPeriodOf, payloadInstructionsOf } from '../../src/accounts/payload/reading';
import { balanceOf } from '../../src/accounts/payload/rules-totals';
import { stagedAccountOf } from '../../src/accounts/schedule/staged';
import { allErrors, checkAccount, checkRead } from '../../src/accounts/validation/check';
import { accountNumberOf } from '../../src/import-processes/number';
import { NOTE_SOURCE, noteRowsOf } from '../../src/notes/pure';
import { errorItem } from '../../src/shared/errors';
import { parseExactly } from '../../src/shared/literals';
import { statementRowsOf } from '../../src/statements/statement';
import { TRANSACTION_SOURCE, transactionRowsOf } from '../../src/transactions/transaction';
import { aSupplierWith } from '../../test/support/suppliers';

const NUMBER_KEY = '00112233445566778899aabbccddeeff';
const keyOf = (path: string) => path;

/** One line of a bulk body: the account that is to be staged, or the answer that refuses it. */
export function checked(number: number, bytes: Uint8Array, code: string, now: number) {
  const line = readLine({ number, bytes });
  if (!('read' in line)) return { answer: line };
  const supplier = aSupplierWith({}, { code });
  const checkedAccount = checkRead(line.read, supplier, now);
  const errors = allErrors(checkedAccount);
  const external_account_number = line.read.externalAccountNumber;
  if (errors.length > 0) return { answer: { line: number, external_account_number, status: 'INVALID', errors: errors.map(errorItem) } };
  return { answer: { line: number, external_account_number, status: 'SCHEDULED' }, account: stagedAccountOf(checkedAccount, line.text) };
}

/** The rows of an account from its stored body, by table, each in the order of the table's columns; undefined where it is wrong. */
export function rowsOf(id: number, body: string, code: string, now: number) {
  const checkedAccount = checkAccount(parseExactly(body), aSupplierWith({}, { code }), now);
  const { value: account, phoneNumbers } = checkedAccount;
  if (allErrors(checkedAccount).length > 0 || !account || !phoneNumbers) return undefined;
  const period = openPeriodOf(account, new Date(now).toISOString().slice(0, 10));
  const { historical, current } = TRANSACTION_SOURCE;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const transactions = [
    ...transactionRowsOf(id, account.historical_statement_transactions ?? [], { source: historical, ledger: null }, now),
    ...transactionRowsOf(id, account.current_statement_transactions ?? [], { source: current, ledger: null }, now),
  ];
  return {
    accountNumber: accountNumberOf(id, NUMBER_KEY),
    accounts: [[id, now, period.periodFrom, period.cycleMonths, period.cycleStartMonth, period.cycleStartDay, String(balanceOf(account))]],
    customers: customersOf(account, phoneNumbers).map((row) => [
      id,
      row.position,
      row.givenName,
      row.familyName,
      row.email,
      row.mobile,
      row.mobileE164,
      row.landline,
      row.landlineE164,
      json(row.alternativePhoneNumbers),
      row.dateOfBirth,
      json(row.details),
    ]),
    notes: noteRowsOf(id, account.notes ?? [], keyOf, now, NOTE_SOURCE.payload).map((row) => [
      id,
      row.noteKey,
      row.createdAt,
      row.body,
      json(row.documents),
      row.isPinned,
      row.unpinAt,
      row.source,
      json(row.details),
    ]),
    transactions: transactions.map((row) => [
      id,
      row.transactionId,
      row.addition,
      row.source,
      row.ledger,
      row.transactionDate,
      row.amountMinor,
      row.type,
      row.note,
      json(row.imported),
      row.createdAt,
    ]),
    statements: statementRowsOf(id, account.statements ?? [], keyOf, now).map((row) => [
      id,
      row.statementId,
      row.contentHash,
      json(row.content),
      row.documentKey,
      row.createdAt,
    ]),
    instructions: payloadInstructionsOf(account).map((row) => [
      id,
      row.type,
      row.position,
      row.vendor,
      row.reference,
      json(row.details),
      now,
    ]),
  };
}
