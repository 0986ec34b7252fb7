/**
 * Accounts that are made to be dear: the most errors, the most text or the most work for their size that anybody has found, by thought or
 * by `npm run fuzz -- --worst`. Every one is a whole body, and fits one line.
 */

export interface WorstBody {
  readonly name: string;
  readonly text: (supplierCode: string, external: string) => string;
}

const account = (supplierCode: string, external: string, rest: string): string =>
  `{"import_supplier":${JSON.stringify(supplierCode)},"external_account_number":${JSON.stringify(external)},${rest}}`;

const body = (name: string, rest: () => string): WorstBody => {
  let made: string | undefined;
  return {
    name,
    text: (supplierCode, external) => {
      made ??= rest();
      return account(supplierCode, external, made);
    },
  };
};

const many = (count: number, item: (i: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join(',');
const short = (i: number): string => i.toString(36);
const statement = '"statement_id":"1","bill_period_from_date":"2020-01-01","bill_period_to_date":"2020-01-01"';

export const WORST_BODIES: readonly WorstBody[] = [
  // Many errors
  body('15,000 empty transactions', () => `"historical_statement_transactions":[${many(15_000, () => '{}')}]`),
  body('15,000 empty customers', () => `"customers":[${many(15_000, () => '{}')}]`),
  body('15,000 empty notes', () => `"notes":[${many(15_000, () => '{}')}]`),
  body('ledgers of empty transactions', () => `"ledgers":[${many(7_400, () => '{"historical_statement_transactions":[{}]}')}]`),
  body('items that are no objects', () => `"supply_addresses":[${many(15_000, () => '0')}]`),
  // The most text for its size
  body('the fewest bytes for a thousand errors', () => `"historical_statement_transactions":[{"tax_items":[${many(200, () => '{}')}]}]`),
  body(
    'documents of one note',
    () => `"notes":[{"document_paths":[${many(500, () => '{}')}]},{"document_paths":[${many(500, () => '{}')}]}]`,
  ),
  body(
    'long names of preferences',
    () => `"customers":[{"customer_preferences":{${many(999, (i) => `"${short(i).padStart(1_000, 'x')}":0`)}}}]`,
  ),
  // Much work
  body(
    'phone numbers that are none',
    () => `"customers":[${many(7_000, (i) => `{"given_name":"A","mobile":"+4${i}","landline":"0${i}"}`)}]`,
  ),
  body(
    'phone numbers that are',
    () => `"customers":[${many(7_000, (i) => `{"given_name":"A","mobile":"(07400) 10${10_00 + (i % 9_000)}"}`)}]`,
  ),
  body(
    'paths of many marks',
    () => `"statements":[${many(300, () => `{"statement_path":"${`a${'\u0301\u0316'.repeat(15)}`.repeat(48)}"}`)}]`,
  ),
  body('one statement again and again, the first of them long', () => {
    const path = `"statement_path":"${'a/'.repeat(500)}a"`;
    return `"account_type":"x","statements":[{${statement},${path},"number":"1"},${many(9_000, () => `{${statement}}`)}]`;
  }),
  body(
    'preferences that are neither yes nor no',
    () => `"customers":[${many(100, () => `{"customer_preferences":{${many(999, (i) => `"${short(i)}":0`)}}}`)}]`,
  ),
  body(
    'long addresses of e-mail',
    () => `"customers":[${many(3_500, () => `{"email":"a@${'a'.repeat(60)}.${'a'.repeat(60)}.${'a'.repeat(60)}.${'a'.repeat(60)}!"}`)}]`,
  ),
  // Much to hold
  body('undocumented objects', () => many(100_000, (i) => `"${short(i)}":{}`)),
  body('undocumented lists in metadata', () => `"metadata":[{"key":"k","value":{${many(90_000, (i) => `"${short(i)}":[]`)}}}]`),
  body(
    'units by the hundred thousand',
    () => `"historical_statement_transactions":[{"line_items":[${many(40, () => `{"units":[${many(10_000, () => '1')}]}`)}]}]`,
  ),
  body(
    'transactions that are right but for their ids',
    () =>
      `"historical_statement_transactions":[${many(12_000, () => '{"transaction_id":"1","transaction_date":"2020-01-01","amount":1,"type":"CHARGE"}')}]`,
  ),
];
