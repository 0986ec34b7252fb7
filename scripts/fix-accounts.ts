/**
 * Puts the accounts of a failed file right, as a migration team would: by the code and place of each error. Rewrites the file.
 *
 *   npm run --silent fix-accounts accounts.ndjson.failed.ndjson && npx data-import import accounts.ndjson.failed.ndjson
 *
 * Knows the mistakes that `generate-accounts.ts` makes. What it does not know it leaves as it is, and ends with 1.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stop } from './local.ts';

type Item = Record<string, unknown>;

/** What the repairs touch of an account. */
interface Account extends Item {
  ledgers?: (Item & { ledger_balance: Amount; last_statement_balance?: Amount; current_statement_transactions?: Transaction[] })[];
  notes?: Item[];
}

interface Transaction {
  readonly type: string;
  readonly amount: Amount;
}

type Amount = string | number;

/** Where an error is: `key` of `holder`, by `steps` from the account. */
interface Place {
  readonly account: Account;
  readonly holder: Item;
  readonly key: string;
  readonly steps: readonly string[];
}

/** Code -> what to do at the place of the error. */
const REPAIRS: Readonly<Record<string, (place: Place) => void>> = {
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
    const ledgers = account.ledgers ?? [];
    for (const ledger of ledgers) {
      ledger.ledger_balance = money(minor(ledger.last_statement_balance ?? 0) + sumOf(ledger.current_statement_transactions ?? []));
    }
    account.transfer_balance = money(ledgers.reduce((sum, { ledger_balance }) => sum + minor(ledger_balance), 0));
  },
  // The letter is lost: what it was about is all that can be kept.
  document_not_found: ({ account, steps }) => {
    account.notes?.splice(Number(steps[1]), 1, { body: 'The letter of this note was not found.' });
  },
  customers_not_allowed: ({ account }) => {
    account.unknown_occupier = false;
  },
};

const [file] = process.argv.slice(2);
if (!file) stop('Name the failed file: npm run fix-accounts FILE');
let unknown = 0;
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '');
const fixed = lines.map((line) => {
  const { _errors: errors = [], ...account }: Account & { _errors?: Refusal[] } = JSON.parse(line);
  const left = errors.filter((error) => !repair(account, error));
  unknown += left.length;
  return JSON.stringify(left.length > 0 ? { ...account, _errors: left } : account);
});
writeFileSync(`${file}.part`, fixed.map((line) => `${line}\n`).join(''));
renameSync(`${file}.part`, file);
console.error(`${lines.length} accounts${unknown > 0 ? `, ${unknown} errors left for a person` : ' put right'}`);
process.exitCode = unknown > 0 ? 1 : 0;

interface Refusal {
  readonly code: string;
  /** The path of what is wrong, such as `customers.0.mobile`. */
  readonly attr: string;
}

/** Answers whether the error is one that can be put right here. */
function repair(account: Account, { code, attr }: Refusal): boolean {
  const steps = attr.split('.');
  const key = steps.at(-1);
  const holder = steps.slice(0, -1).reduce<unknown>((value, step) => (isItem(value) ? value[step] : undefined), account);
  const put = REPAIRS[code];
  if (!isItem(holder) || !put || key === undefined) return false;
  put({ account, holder, key, steps });
  return true;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}

function sumOf(transactions: readonly Transaction[]): number {
  return transactions.reduce((sum, { type, amount }) => sum + (type === 'CREDIT' || type === 'PAYMENT' ? 1 : -1) * minor(amount), 0);
}

function minor(amount: Amount): number {
  return Math.round(Number(amount) * 100);
}

function money(amount: number): string {
  return (amount / 100).toFixed(2);
}
