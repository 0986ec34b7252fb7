/**
 * What a payload requires beyond its single fields, as far as JSON Schema can say it: by named shape. What it cannot say (sums, dates
 * that must follow one another, what is stored) is said in words at the fields.
 */
import { PAYMENT_TYPES, REASONS } from '../transactions/schema';
import type { Json } from './json-schema';

/** The field is there and says something. */
const says = (field: string): Json => ({ required: [field], properties: { [field]: { type: 'string', pattern: '\\S' } } });
const lists = (field: string): Json => ({ required: [field], properties: { [field]: { type: 'array', minItems: 1 } } });
/** By entries, because a value with a `then` could be taken for a promise. */
const when = (condition: Json, requirement: Json): Json =>
  Object.fromEntries([
    ['if', condition],
    ['then', requirement],
  ]);

const NOT_GIVEN = { enum: ['', null] };

/** An address is an object or single lines; `prefix` is what the names of the lines begin with. */
const oneForm = (prefix: string): Json =>
  when(
    { required: [`${prefix}_address`], properties: { [`${prefix}_address`]: { type: 'object' } } },
    {
      properties: Object.fromEntries(
        ['address1', 'address2', 'address3', 'address4', 'address5', 'postcode'].map((name) => [`${prefix}_${name}`, NOT_GIVEN]),
      ),
    },
  );

const ofType = (type: string, requirement: Json): Json => when({ required: ['type'], properties: { type: { const: type } } }, requirement);

/** Reasons of the service; a supplier may have further ones. */
const reason = (type: 'CHARGE' | 'CREDIT'): Json => ({
  required: ['reason'],
  properties: { reason: { type: 'string', anyOf: [{ enum: [...(REASONS[type] ?? [])] }, { pattern: '^[A-Z][A-Z0-9_]{0,63}$' }] } },
});

const paid = (type: 'PAYMENT' | 'REPAYMENT'): Json => ({
  properties: {
    amount: { exclusiveMinimum: 0, pattern: '^[0-9.]*[1-9]' },
    reason: { enum: [...(REASONS[type] ?? []), '', null] },
    payment_type: { enum: [...(PAYMENT_TYPES[type] ?? []), '', null] },
  },
});

export const CONDITIONS: Readonly<Record<string, Json>> = {
  Note: { anyOf: [says('body'), lists('document_paths')] },
  Customer: { anyOf: [says('given_name'), says('family_name')] },
  MeterPoint: { anyOf: [says('identifier'), says('mpxn')] },
  SupplyAddress: oneForm('supply'),
  Account: {
    allOf: [
      oneForm('billing'),
      when(
        { required: ['unknown_occupier'], properties: { unknown_occupier: { const: true } } },
        { properties: { customers: { maxItems: 0 } } },
      ),
    ],
  },
  Transaction: {
    allOf: [
      ofType('CHARGE', reason('CHARGE')),
      ofType('CREDIT', reason('CREDIT')),
      ofType('PAYMENT', paid('PAYMENT')),
      ofType('REPAYMENT', paid('REPAYMENT')),
      ofType('SUPPLY_CHARGE', {
        required: ['product_code', 'line_items'],
        properties: { product_code: { type: 'string', pattern: '\\S' }, line_items: { type: 'array', minItems: 1 } },
      }),
    ],
  },
};
