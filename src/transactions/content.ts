/**
 * Whether two transactions say the same (§4.2). Numbers count by value: `12.5` is `"12.50"`. Pure.
 */
import { canonicalJson } from '../shared/digest';
import { digitsOf } from '../shared/money';
import { isObject } from '../shared/shape';
import type { Transaction } from './schema';

const DECIMALS = new Set(['amount', 'number_of_units', 'net_amount', 'price_per_unit', 'units', 'value_taxed', 'rate']);

/** Compares what was sent, undocumented fields included: where a transaction was moved to plays no part. */
export const isSameContent = (one: Transaction, other: Transaction): boolean =>
  canonicalJson(inOneForm('', one)) === canonicalJson(inOneForm('', other));

function inOneForm(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => inOneForm(key, item));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inOneForm(name, child)]));
  if (!DECIMALS.has(key) || (typeof value !== 'number' && typeof value !== 'string')) return value;
  const digits = digitsOf(value);
  if (!digits) return value;
  const { negative, whole, fraction } = digits;
  return `${negative && whole + fraction !== '' ? '-' : ''}${whole}.${fraction}`;
}
