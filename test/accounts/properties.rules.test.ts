import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAccount, readAccount } from '../../src/accounts';
import { valueAt } from '../../src/shared/errors';
import type { Supplier } from '../../src/suppliers';
import { errorsIn, NOON, withValue } from '../support/checking';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../support/payloads';
import { aSupplierWith } from '../support/suppliers';

const payloads = [
  { payload: aSmallAccount('SUP', 'EXT'), country: 'GB' },
  { payload: aFullAccount('SUP', 'EXT'), country: 'GB' },
  { payload: anAustralianAccount('SUP', 'EXT'), country: 'AU' },
].map(({ payload, country }) => ({ payload, attrs: attrsOf(payload), supplier: aSupplierWith({ default_country: country }) }));

/** Every documented place of a payload, in its order: not what the importer may fill as it likes. */
function attrsOf(value: unknown, attr = ''): string[] {
  if (/metadata\.\d+\.value$|meters$/.test(attr)) return [];
  if (typeof value !== 'object' || value === null || attr.endsWith('structured_street_address')) return [attr];
  const children = Object.entries(value).flatMap(([key, child]) => attrsOf(child, attr === '' ? key : `${attr}.${key}`));
  return attr === '' ? children : [attr, ...children];
}

/** The payload with a value at the place that no field like it takes. */
const broken = <T extends object>(payload: T, attr: string): T => {
  const sent = valueAt(payload, attr.split('.'));
  return withValue(payload, attr, typeof sent === 'object' ? 'x' : {});
};

const attrsIn = (body: object, supplier: Supplier) => errorsIn(body, { supplier }).map((error) => error.split(' ')[0]);

describe('a broken field', () => {
  it.each(payloads)('is named, and nothing else', ({ payload, attrs, supplier }) => {
    for (const attr of attrs) expect([attr, attrsIn(broken(payload, attr), supplier)]).toEqual([attr, [attr]]);
  });

  it('is named together with every other, in payload order', () => {
    const some = fc
      .constantFrom(...payloads)
      .chain((one) => fc.tuple(fc.constant(one), fc.subarray(one.attrs, { minLength: 1, maxLength: 12 })));
    fc.assert(
      fc.property(some, ([{ payload, supplier }, chosen]) => {
        const outer = chosen.filter((attr) => !chosen.some((other) => attr.startsWith(`${other}.`)));
        expect(attrsIn(outer.reduce(broken, payload), supplier)).toEqual(outer);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any JSON', () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const names = [...new Set(payloads.flatMap(({ attrs }) => attrs.flatMap((attr) => attr.split('.'))))].filter(
    (name) => !/^\d+$/.test(name),
  );
  const accountLike = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.constantFrom('SUP', '2026-01-01', 5, true, null, ''), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  })).object;

  it('is validated without a throw, its errors at places of its own, and left as it was', () => {
    fc.assert(
      fc.property(fc.oneof(anything, accountLike, fc.record({ payload: accountLike, task_params: anything })), (body) => {
        const before = JSON.stringify(body);
        const { errors, value } = checkAccount(body, aSupplierWith(), NOON);
        expect(JSON.stringify(body)).toBe(before);
        for (const { path, code } of errors) {
          expect(path[0]).not.toBe('payload');
          expect(code).toMatch(/^[a-z_]+$/);
        }
        if (errors.length === 0) expect(value).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same draft in both forms', () => {
    fc.assert(
      fc.property(accountLike, (account) => {
        fc.pre(typeof account === 'object' && account !== null && !Object.hasOwn(account, 'payload'));
        expect(readAccount({ payload: account })).toEqual(readAccount(account));
      }),
    );
  });
});
