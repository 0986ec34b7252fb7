import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { allErrors, checkAccount } from '../../src/accounts';
import { errorItem, fieldError, inPayloadOrder, MAX_ERRORS } from '../../src/shared/errors';
import { list, optional, optionalList, requiredLine } from '../../src/shared/fields';
import { parse } from '../../src/shared/parse';
import { statementErrors } from '../../src/statements';
import { NOON } from '../support/checking';
import { aSupplierWith } from '../support/suppliers';

const item = z.object({ id: requiredLine(3), name: requiredLine(3) });
const body = z.object({ name: optional(requiredLine(3)), few: list(item, 2), some: optionalList(item, 2), many: optional(z.array(item)) });
const right = { id: 'a', name: 'b' };

const errorsOf = (raw: unknown): string[] => parse(body, raw).errors.map(({ path, code }) => `${path.join('.')} ${code}`);

/** A list that notices whether anything looks at its items. */
function watched(length: number) {
  let looks = 0;
  const items = new Proxy(
    Array.from({ length }, () => ({})),
    {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  return { items, looks: () => looks };
}

describe('a list that is longer than it may be', () => {
  it('is one error, at the list, whatever its items are', () => {
    expect(errorsOf({ few: [{}, 5, null] })).toEqual(['few max_length']);
    expect(errorsOf({ few: [right], some: [{}, {}, {}] })).toEqual(['some max_length']);
  });

  it('is not looked into', () => {
    const { items, looks } = watched(15_000);
    expect(errorsOf({ few: items })).toEqual(['few max_length']);
    expect(looks()).toBe(0);
  });

  it('is refused in the draft, beside what is right', () => {
    expect(parse(body, { name: 'x', few: [right, right, right] }).draft).toEqual({ name: 'x', few: undefined });
  });
});

describe('more errors than are listed', () => {
  const missing = (length: number) => ({ few: [right], many: Array.from({ length }, () => ({})) });

  it('end with one that says how many more there are about', () => {
    const errors = inPayloadOrder({}, parse(body, missing(5_000)).errors);
    expect(errors).toHaveLength(MAX_ERRORS + 1);
    expect(errorItem(errors[0] ?? fieldError([], 'invalid', ''))).toMatchObject({ attr: 'many.0.id', code: 'required' });
    expect(errors.map(({ code }) => code).filter((code) => code !== 'required')).toEqual(['too_many_errors']);
    expect(errorItem(errors.at(-1) ?? fieldError([], 'invalid', ''))).toEqual({
      attr: '',
      code: 'too_many_errors',
      detail: 'About 4500 more errors were found. Correct those listed here, then send the body again.',
    });
  });

  it('are all listed up to the last one that fits', () => {
    expect(inPayloadOrder({}, parse(body, missing(500)).errors).map(({ code }) => code)).toEqual(Array(MAX_ERRORS).fill('required'));
  });

  it('are counted together, whoever found them', () => {
    const found = parse(body, missing(500)).errors;
    const more = [fieldError(['name'], 'unique', 'words'), fieldError(['few'], 'unique', 'words')];
    expect(inPayloadOrder({}, [...found, ...more]).at(-1)?.detail).toMatch(/^About 2 more/);
    expect(inPayloadOrder({}, [...parse(body, missing(501)).errors, ...more]).at(-1)?.detail).toMatch(/^About 3 more/);
  });

  it('leave what names the account, and nothing wrong, in the draft', () => {
    const raw = { many: Array.from({ length: 5_000 }, () => ({ id: 5 })), few: [right, 5], name: 'x' };
    const { draft } = parse(body, raw);
    expect(draft).toMatchObject({ name: 'x', few: undefined });
    expect(draft.many?.every((one) => one === undefined || one.id === undefined)).toBe(true);
  });

  it('cost nothing beyond: what is refused is no longer looked into', () => {
    const deep = z.object({ list: z.array(z.object({ inner: z.array(item) })) });
    let looks = 0;
    const look = () => {
      looks++;
      return 5;
    };
    const counted = () => Object.defineProperty({}, 'id', { enumerable: true, get: look });
    parse(deep, { list: Array.from({ length: 5_000 }, () => ({ inner: [counted(), counted(), counted(), counted()] })) });
    // Each list is read until its first item is refused; only the first thousand errors are looked for in all of it.
    expect(looks).toBeLessThan(10_000);
  });
});

describe('an account', () => {
  const account = (over: object) => ({ import_supplier: 'SUP', external_account_number: 'EXT', ...over });
  const of = (length: number, make: (i: number) => object = () => ({})): object[] => Array.from({ length }, (_, i) => make(i));

  it.each<[string, object, RegExp]>([
    ['fields that are missing', { historical_statement_transactions: of(15_000) }, /^About 14\d{3} more/],
    ['what rules find', { customers: of(15_000) }, /^About 14000 more/],
    [
      'what several rules find',
      { customers: of(5_000), notes: of(5_000), supply_addresses: [{ meter_points: [] }] },
      /^About [4-9]\d{3} more/,
    ],
    ['phone numbers', { customers: of(7_000, (i) => ({ given_name: 'A', mobile: `0${i}`, landline: `1${i}` })) }, /more errors/],
    ['documents', { statements: of(600, (i) => ({ statement_path: `../${i}` })) }, /more errors/],
  ])('has no more than a thousand listed: %s', (_, over, more) => {
    const errors = allErrors(checkAccount(account(over), aSupplierWith(), NOON));
    expect(errors).toHaveLength(MAX_ERRORS + 1);
    expect(errors.at(-1)?.detail).toMatch(more);
  });

  it('has its supplier and number read behind any number of errors', () => {
    const { supplierCode, externalAccountNumber } = checkAccount(
      { customers: of(15_000, () => ({ email: 5 })), import_supplier: 'SUP', external_account_number: 'EXT' },
      aSupplierWith(),
      NOON,
    );
    expect([supplierCode, externalAccountNumber]).toEqual(['SUP', 'EXT']);
  });

  it('that names one statement many times has each of them written out once', () => {
    const statement = { statement_id: 'S', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' };
    let looks = 0;
    const look = () => {
      looks++;
      return 'N';
    };
    const first = Object.defineProperty({ ...statement }, 'number', { enumerable: true, get: look });
    expect(statementErrors(['statements'], [first, ...Array.from({ length: 2_000 }, () => statement)])).toHaveLength(2_000);
    expect(looks).toBeLessThan(5);
  });
});
