/**
 * The account's own document: what is left of a payload once its retention has passed. Lists whose every item has a row of its own
 * are cut out by their names; nothing else is, documented or not, readable by today's rules or not. Pure.
 */
import { mapItems, mapMembers } from '../../shared/json-text';
import { isWrapped } from '../validation/check';

/** Lists of the account that have rows, with the kind of row their items become. */
const HAVE_ROWS = {
  customers: 'customers',
  notes: 'notes',
  statements: 'statements',
  payment_instructions: 'paymentInstructions',
  historical_statement_transactions: 'transactions',
  current_statement_transactions: 'transactions',
} as const;
type List = keyof typeof HAVE_ROWS;
type Kind = (typeof HAVE_ROWS)[List];

/** How many rows an account has of its payload. */
export interface PayloadRows extends Readonly<Record<Kind, number>> {
  /** They hold every field of their items; an earlier release stored the documented ones only. */
  readonly haveAllFields: boolean;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (name: string): name is List => Object.hasOwn(HAVE_ROWS, name);

/**
 * From a staged body to the JSON text of what the account keeps of it, its values as they were sent; undefined if the body is no
 * account that can be read.
 */
export function accountDocument(body: string, rows: PayloadRows): string | undefined {
  const parsed = parsedOf(body);
  if (!isObject(parsed)) return undefined;
  // Either form: the account itself, or beside its `task_params`.
  const account: unknown = isWrapped(parsed) ? Reflect.get(parsed, 'payload') : parsed;
  if (!isObject(account)) return undefined;
  const items = itemsOf(account);
  const isCut = (name: string): boolean => isList(name) && rows.haveAllFields && items[HAVE_ROWS[name]] === rows[HAVE_ROWS[name]];
  const cutAccount = (text: string): string =>
    mapMembers(text, (name, value) => {
      if (name === 'task_params' || (isCut(name) && value.startsWith('['))) return undefined;
      return name === 'ledgers' && value.startsWith('[') ? mapItems(value, (ledger) => cutLedger(ledger, isCut)) : value;
    });
  if (account === parsed) return cutAccount(body);
  return mapMembers(body, (name, value) => (name === 'task_params' ? undefined : name === 'payload' ? cutAccount(value) : value));
}

/**
 * The account's own fields as they were sent, before and after retention the same: without the lists whose every item has a row, and
 * without `task_params`. Undefined if the body is no account that can be read.
 */
export function accountFields(body: string, rows: PayloadRows): object | undefined {
  const document = accountDocument(body, rows);
  const parsed = document === undefined ? undefined : parsedOf(document);
  if (!isObject(parsed) || !isWrapped(parsed)) return isObject(parsed) ? parsed : undefined;
  const { payload, ...beside } = parsed;
  return isObject(payload) ? { ...beside, ...payload } : undefined;
}

const cutLedger = (text: string, isCut: (name: string) => boolean): string =>
  text.startsWith('{')
    ? mapMembers(text, (name, value) => (isCut(name) && HAVE_ROWS_IN_LEDGERS.has(name) && value.startsWith('[') ? undefined : value))
    : text;

const HAVE_ROWS_IN_LEDGERS: ReadonlySet<string> = new Set(['historical_statement_transactions', 'current_statement_transactions']);

function parsedOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** How many items the lists of each kind have, those of the ledgers included. */
function itemsOf(account: object): Record<Kind, number> {
  const counts = { customers: 0, notes: 0, statements: 0, paymentInstructions: 0, transactions: 0 };
  const ledgers: unknown = Reflect.get(account, 'ledgers');
  for (const holder of [account, ...(Array.isArray(ledgers) ? ledgers.filter(isObject) : [])]) {
    for (const [name, kind] of Object.entries(HAVE_ROWS)) {
      const list: unknown = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
      if (Array.isArray(list) && (holder === account || HAVE_ROWS_IN_LEDGERS.has(name))) counts[kind] += list.length;
    }
  }
  return counts;
}
