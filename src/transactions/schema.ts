/** Transactions on the wire (§2.4, §4.2). */
import * as z from 'zod';
import { amount, choice, date, decimal, freeText, identifier, line, list, optional, optionalList, requiredLine } from '../shared/fields';
import type { Draft, Given } from '../shared/parse';
import { parameter } from '../shared/query';
import { checked } from '../shared/reader';

export { PAYMENT_TYPES, REASONS } from './vocabulary';

const MAX_TRANSACTIONS = 1_000;
const MAX_NOTE = 100_000;
const MAX_LINE = 512;
const MAX_SUBITEMS = 1_000;
const MAX_UNITS = 10_000;

export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

const name = checked(
  z.string(),
  (text) =>
    text === '' || (/^[A-Z][A-Z0-9_]*$/.test(text) && text.length <= MAX_LINE)
      ? undefined
      : { code: 'invalid_choice', detail: 'Enter a name of capital letters, digits and underscores.' },
  { format: 'name', maxLength: MAX_LINE },
);
const requiredName = checked(name, (text) => (text === '' ? { code: 'blank', detail: 'This field may not be blank.' } : undefined), {
  format: 'required-name',
});

const lineItem = z.object({
  rate_band: optional(name),
  start_date: date,
  end_date: date,
  number_of_units: decimal,
  net_amount: decimal,
  price_per_unit: optional(decimal),
  units: optionalList(decimal, MAX_UNITS),
});

const taxItem = z.object({
  amount: decimal,
  tax_type: requiredName,
  value_taxed: decimal,
  rate: decimal,
  unit_type: choice(['PROPORTION', 'CURRENCY_PER_KWH']),
});

/** One transaction of an account payload or of a request. What is required and allowed by type is validated in `rules.ts`. */
export const transactionItem = z.object({
  transaction_id: requiredLine(128),
  transaction_date: date,
  amount,
  type: choice(TRANSACTION_TYPES),
  reason: optional(line(MAX_LINE)),
  display_note: optional(freeText(MAX_NOTE)),
  note: optional(freeText(MAX_NOTE)),
  reference: optional(line(MAX_LINE)),
  payment_type: optional(line(MAX_LINE)),
  product_code: optional(line(MAX_LINE)),
  line_items: optionalList(lineItem, MAX_SUBITEMS),
  tax_items: optionalList(taxItem, MAX_SUBITEMS),
});
export type Transaction = Given<z.output<typeof transactionItem>>;
export type TransactionDraft = Draft<z.output<typeof transactionItem>>;

export const transactionsBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  transactions: list(transactionItem, MAX_TRANSACTIONS),
});

/** Validated like a field, because its error is answered together with those of the body. */
const flag = checked(z.string(), (text) =>
  /^(?:true|false|1|0)$/i.test(text) ? undefined : { code: 'invalid', detail: 'Must be a valid boolean: true, false, 1 or 0.' },
).optional();
parameter(flag, { means: { type: 'boolean' } });

/** The query parameters of §4.2. */
export const addParameters = z.object({ check_previously_added: flag, force_add_to_current_statement: flag });

const switchOf = (values: RegExp) => parameter(z.string().regex(values).optional(), { means: { type: 'boolean' } });

/** Those of a bulk request. It always looks up what was added before, so that it can be sent again. */
export const bulkQuery = z.object({
  check_previously_added: switchOf(/^(?:true|1)$/i),
  force_add_to_current_statement: switchOf(/^(?:true|false|1|0)$/i),
});

/** A parameter as sent; both are true unless said otherwise. */
export const isOn = (text: string | undefined): boolean => text === undefined || /^(?:true|1)$/i.test(text);
