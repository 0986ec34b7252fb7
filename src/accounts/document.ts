/**
 * The account's own document: what is left of a payload once its retention has passed. Customers, notes, transactions,
 * statements and payment instructions have rows of their own by then. Pure.
 */
import { readAccount } from './judge';

/** Names of fields, of the account or of a ledger, that are kept elsewhere or are spent. */
const HAVE_ROWS = new Set([
  'customers',
  'notes',
  'statements',
  'payment_instructions',
  'historical_statement_transactions',
  'current_statement_transactions',
  'task_params',
]);

/** From a staged body to JSON text of the account's documented fields that have no other place; '' if it can't be read. */
export function accountDocument(body: string): string {
  const { value } = readAccount(JSON.parse(body));
  if (!value) return '';
  const { ledgers, ...account } = value;
  return JSON.stringify({ ...withoutRows(account), ...(ledgers ? { ledgers: ledgers.map(withoutRows) } : {}) });
}

const withoutRows = (holder: object): object => Object.fromEntries(Object.entries(holder).filter(([key]) => !HAVE_ROWS.has(key)));
