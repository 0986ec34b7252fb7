/**
 * What stays of an account when it is erased (§10): its numbers, dates, amounts and what was chosen from closed sets, so that books
 * still add up. It is picked by name from the documented fields; whatever an importer may write freely is not among them. Pure.
 */
import { isObject } from '../shared/shape';
import { hasClosedPaymentTypes, hasClosedReasons } from '../transactions';

/** `true` is a value that stays. The fields of an object, or of each item of a list, are named. */
type Stays = true | Fields;
interface Fields {
  readonly [name: string]: Stays;
}

const these = (names: string): Readonly<Record<string, true>> => Object.fromEntries(names.split(' ').map((name) => [name, true]));

const BALANCES = these('last_statement_balance last_statement_closing_date last_statement_issue_date');

const ACCOUNT: Fields = {
  ...BALANCES,
  ...these('import_supplier external_account_number account_type unknown_occupier date_of_sale last_billed_to_date next_bill_due_date'),
  transfer_balance: true,
  account_billing_options: these('period_length period_length_multiplier period_start_day period_start_month'),
  ledgers: { ...BALANCES, ledger_balance: true },
  payment_schedules: these('means start_date amount frequency day_of_month'),
  supply_addresses: {
    ...these('customer_at_supply_address_from_date customer_at_supply_address_to_date'),
    meter_points: { ...these('supply_start_date supply_end_date'), agreements: these('effective_from effective_to') },
  },
};

const TRANSACTION: Fields = {
  ...these('transaction_id transaction_date amount type'),
  line_items: these('rate_band start_date end_date number_of_units net_amount price_per_unit units'),
  tax_items: these('amount tax_type value_taxed rate unit_type'),
};

const STATEMENT = these('statement_id bill_period_from_date bill_period_to_date issued_date gross_amount');

/** The account's own fields without what is personal. */
export const erasedFields = (fields: object): object => objectOf(ACCOUNT, fields);

/** A transaction as it was imported, without what is personal. A reason or payment type stays where its type has a closed set of them. */
export function erasedTransaction(imported: object): object {
  const { type, reason, payment_type } = { type: undefined, reason: undefined, payment_type: undefined, ...imported };
  return {
    ...objectOf(TRANSACTION, imported),
    ...(typeof reason === 'string' && hasClosedReasons(type) ? { reason } : {}),
    ...(typeof payment_type === 'string' && hasClosedPaymentTypes(type) ? { payment_type } : {}),
  };
}

/** A statement as it was sent, without what is personal. */
export const erasedStatement = (content: object): object => objectOf(STATEMENT, content);

const objectOf = (fields: Fields, value: object): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, inner]) => {
      const part = Object.hasOwn(value, name) ? partOf(inner, Reflect.get(value, name)) : undefined;
      return part === undefined ? [] : [[name, part]];
    }),
  );

function partOf(inner: Stays, value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => partOf(inner, item) ?? []);
  if (isObject(value)) return inner === true ? undefined : objectOf(inner, value);
  return inner === true ? value : undefined;
}
