/** §4.2: when a known id comes with other content. */
import { describe, expect, it } from 'vitest';
import { isSameContent } from '../../src/transactions/content';
import type { Transaction } from '../../src/transactions/schema';

const item: Transaction = {
  transaction_id: 'T',
  transaction_date: '2026-01-31',
  amount: 12.5,
  type: 'SUPPLY_CHARGE',
  product_code: 'P',
  line_items: [{ start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 10, net_amount: '1.50', units: [1, '2.50', 0] }],
  tax_items: [{ amount: 2, tax_type: 'VAT', value_taxed: 10, rate: 0.2, unit_type: 'PROPORTION' }],
};
const [line] = item.line_items ?? [];
const [tax] = item.tax_items ?? [];
if (!line || !tax) throw new Error('no items');
const more = (fields: object): Transaction => ({ ...item, ...fields });

describe('two transactions say the same', () => {
  it.each([
    more({}),
    more({ amount: '12.50' }),
    more({ amount: 12.5 }),
    more({ line_items: [{ ...line, number_of_units: '10.000', net_amount: 1.5, units: ['1.0', 2.5, '-0'] }] }),
    more({ tax_items: [{ ...tax, rate: '0.20' }] }),
    Object.fromEntries(Object.entries(item).toReversed()) as unknown as Transaction,
  ])('%j', (other) => expect(isSameContent(item, other)).toBe(true));
});

describe('two transactions differ', () => {
  it.each([
    more({ amount: 12.51 }),
    more({ amount: -12.5 }),
    more({ transaction_date: '2026-01-30' }),
    more({ note: 'n' }),
    more({ product_code: 'Q' }),
    more({ line_items: [] }),
    more({ line_items: [{ ...line, units: [1, '2.50'] }] }),
    more({ line_items: [{ ...line, units: ['2.50', 1, 0] }] }),
    more({ tax_items: [{ ...tax, rate: 0.02 }] }),
    more({ undocumented: null }),
    more({ line_items: [{ ...line, undocumented: 1 }] }),
  ])('%j', (other) => expect(isSameContent(item, other)).toBe(false));
});
