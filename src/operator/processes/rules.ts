/**
 * What of a payload an operator may see without asking for it: numbers, dates and choices of the migration, never who the
 * customer is. Whatever is not known to be harmless is masked. Pure.
 */

/** Keys whose values say nothing of a person. */
const HARMLESS = new Set(
  (
    'import_supplier external_account_number unknown_occupier account_type business_type communication_preference language_preference ' +
    'date_of_sale sales_channel sales_subchannel country period_length period_length_multiplier period_start_day period_start_month ' +
    'last_billed_to_date last_statement_closing_date last_statement_issue_date next_bill_due_date last_statement_balance transfer_balance ' +
    'ledger_balance transaction_id transaction_date amount type reason product_code rate_band tax_type unit_type start_date end_date ' +
    'net_amount number_of_units statement_id bill_period_from_date bill_period_to_date gross_amount vendor valid_from means frequency ' +
    'day_of_month namespace created_at is_pinned unpin_at is_landlord supply_start_date supply_end_date supply_type tariff_code ' +
    'effective_from effective_to customer_at_supply_address_from_date customer_at_supply_address_to_date signed_at is_dry_run ' +
    'schedule_window_start schedule_window_end'
  ).split(' '),
);

/** Below these keys the importer says what it likes, so any of it may be personal data. */
const OPAQUE = new Set(['metadata', 'structured_street_address', 'customer_preferences']);

/** The payload with personal data masked: what a text begins with stays, so that entries can be distinguished. */
export const maskPersonalData = (payload: unknown): unknown => masked(payload, true);

function masked(value: unknown, mayShow: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, mayShow));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        typeof child !== 'object' && mayShow && HARMLESS.has(key) ? child : masked(child, mayShow && !OPAQUE.has(key)),
      ]),
    );
  return value === null || value === '' ? value : hidden(value);
}

function hidden(value: unknown): string {
  const [first = ''] = typeof value === 'string' && value.length > 3 ? value : '';
  return /\p{L}/u.test(first) ? `${first}•••` : '•••';
}

/** Imports of one minute. */
export interface MinuteOfImports {
  /** Unix minutes. */
  readonly minute: number;
  readonly processed: number;
  readonly errored: number;
}

/** The minutes a rate is taken over. */
export const RATE_MINUTES = 5;

/** Accounts imported per minute, over the last minutes in which anything was; 0 when nothing was. */
export function ratePerMinute(minutes: readonly MinuteOfImports[], now: number): number {
  const recent = minutes.filter(({ minute, processed }) => processed > 0 && minute > now / 60_000 - RATE_MINUTES);
  const first = Math.min(...recent.map(({ minute }) => minute));
  const sum = recent.reduce((total, { processed }) => total + processed, 0);
  return sum / Math.max(1, now / 60_000 - first);
}

/** Minutes until the rest is imported, at that rate; undefined where that is not known. */
export const minutesLeft = (open: number, rate: number): number | undefined => (open > 0 && rate > 0 ? open / rate : undefined);
