/**
 * Puts the accounts of a failed file right, as a migration team would: by the code and place of each error. Rewrites the file.
 *
 *   node scripts/fix-accounts.mjs accounts.ndjson.failed.ndjson && npx data-import import accounts.ndjson.failed.ndjson
 *
 * Knows the mistakes that `generate-accounts.mjs` makes. What it does not know it leaves as it is, and ends with 1.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stop } from './local.mjs';

/** Code -> what to do at the place of the error. */
const REPAIRS = {
  invalid_phone_number: ({ holder, key }) => {
    holder[key] = '020 7946 0018';
  },
  invalid_email: ({ holder, key }) => {
    holder[key] = 'customer@example.com';
  },
  invalid_date: ({ holder, key }) => {
    holder[key] = '2026-02-28';
  },
  // The transactions are right: what they add up to is the balance.
  balance_mismatch: ({ account }) => {
    for (const ledger of account.ledgers) {
      ledger.ledger_balance = money(minor(ledger.last_statement_balance ?? 0) + sumOf(ledger.current_statement_transactions ?? []));
    }
    account.transfer_balance = money(account.ledgers.reduce((sum, { ledger_balance }) => sum + minor(ledger_balance), 0));
  },
  // The letter is lost: what it was about is all that can be kept.
  document_not_found: ({ account, steps }) => {
    account.notes[steps[1]] = { body: 'The letter of this note was not found.' };
  },
  customers_not_allowed: ({ account }) => {
    account.unknown_occupier = false;
  },
};

const [file] = process.argv.slice(2);
if (!file) stop('Name the failed file: node scripts/fix-accounts.mjs FILE');
let unknown = 0;
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '');
const fixed = lines.map((line) => {
  const { _errors: errors = [], ...account } = JSON.parse(line);
  const left = errors.filter((error) => !repair(account, error));
  unknown += left.length;
  return JSON.stringify(left.length > 0 ? { ...account, _errors: left } : account);
});
writeFileSync(`${file}.part`, fixed.map((line) => `${line}\n`).join(''));
renameSync(`${file}.part`, file);
console.error(`${lines.length} accounts${unknown > 0 ? `, ${unknown} errors left for a person` : ' put right'}`);
process.exitCode = unknown > 0 ? 1 : 0;

/** Answers whether the error is one that can be put right here. */
function repair(account, { code, attr }) {
  const steps = attr.split('.');
  const holder = steps.slice(0, -1).reduce((value, step) => value?.[step], account);
  if (!holder || !REPAIRS[code]) return false;
  REPAIRS[code]({ account, holder, key: steps.at(-1), steps });
  return true;
}

function sumOf(transactions) {
  return transactions.reduce((sum, { type, amount }) => sum + (type === 'CREDIT' || type === 'PAYMENT' ? 1 : -1) * minor(amount), 0);
}

function minor(amount) {
  return Math.round(Number(amount) * 100);
}

function money(amount) {
  return (amount / 100).toFixed(2);
}
