import { describe, expect, it } from 'vitest';
import { maskPersonalData, minutesLeft, ratePerMinute } from '../../src/operator/processes/rules';
import { checkStatusChange, givenSettings, rootErrors, unknownSettings, unreadableErrors } from '../../src/operator/suppliers/rules';
import { worded } from '../support/worded';

describe('the life cycle of a supplier', () => {
  it.each([
    ['Ongoing', 'Ongoing', undefined, 'allowed'],
    ['Ongoing', 'Paused', undefined, 'allowed'],
    ['Ongoing', 'Complete', undefined, 'allowed'],
    ['Paused', 'Ongoing', undefined, 'allowed'],
    ['Paused', 'Paused', undefined, 'allowed'],
    ['Paused', 'Complete', undefined, 'allowed'],
    ['Complete', 'Complete', undefined, 'allowed'],
    ['Complete', 'Paused', 'because', 'refused'],
    ['Complete', 'Ongoing', undefined, 'reason_required'],
    ['Complete', 'Ongoing', ' ', 'reason_required'],
    ['Complete', 'Ongoing', 'because', 'allowed'],
    [undefined, 'Paused', undefined, 'reason_required'],
    [undefined, 'Complete', 'unreadable before', 'allowed'],
  ] as const)('%s → %s (%j): %s', (from, to, reason, kind) => {
    const change = checkStatusChange(from, to, reason);
    expect(change.kind).toBe(kind);
    if (change.kind === 'refused') worded([change]);
  });
});

describe('configuration', () => {
  it('is given key by key: null is not given, what clears is', () => {
    const given = givenSettings({ configuration: { default_country: null, vendors: [], documents_root: '', time_zone: 'UTC' } });
    expect([...given]).toEqual([
      ['vendors', []],
      ['documents_root', ''],
      ['time_zone', 'UTC'],
    ]);
    for (const nothing of [undefined, null, [], {}, { configuration: null }]) expect([...givenSettings(nothing)]).toEqual([]);
  });

  it('asks for what cannot be read, unless it is given anew', () => {
    const errors = unreadableErrors(['vendors', 'time_zone'], new Map([['time_zone', 'UTC']]));
    expect(worded(errors).map(({ path, code }) => [path.join('.'), code])).toEqual([['configuration.vendors', 'required']]);
  });

  it('reports each unknown key, inherited names included', () => {
    const raw = JSON.parse('{"configuration": {"vendors": [], "colour": 1, "__proto__": 2, "toString": 3}}');
    expect(worded(unknownSettings(raw)).map(({ path, code }) => [path.join('.'), code])).toEqual([
      ['configuration.colour', 'invalid'],
      ['configuration.__proto__', 'invalid'],
      ['configuration.toString', 'invalid'],
    ]);
    expect(unknownSettings({ configuration: null })).toEqual([]);
    expect(unknownSettings(undefined)).toEqual([]);
  });
});

describe('the root of documents', () => {
  const own = (root: string) => ({ organisationId: 'own', root });
  const taken = (own_: string, theirs: string, organisationId = 'theirs') =>
    worded(rootErrors(own(own_), [own(own_), { organisationId, root: theirs }])).map(({ path, code }) => [path.join('.'), code]);
  const UNIQUE = [['configuration.documents_root', 'unique']];

  it.each([
    ['a', 'a'],
    ['a', 'a/b'],
    ['a/b', 'a'],
    ['a/b', 'a/b/c/d'],
    ['\u00e4', 'a\u0308'],
    ['a', '/a/'],
  ])('%j meets %j', (root, theirs) => {
    expect(taken(root, theirs)).toEqual(UNIQUE);
    expect(taken(root, theirs, 'own')).toEqual([]);
  });

  it.each([
    ['a', 'ab'],
    ['ab', 'a'],
    ['a/b', 'a/c'],
    ['a', 'A'],
    ['b', 'a/b'],
  ])('%j and %j are apart', (root, theirs) => {
    expect(taken(root, theirs)).toEqual([]);
  });

  it.each(['', '.', '..', 'a\\b', 'a/../b'])('%j is none', (root) => {
    expect(rootErrors(own(root), []).map(({ code }) => code)).toEqual(['invalid_document_path']);
  });
});

describe('masking', () => {
  it('shows what is known to be harmless and masks the rest, at any depth', () => {
    expect(
      maskPersonalData({
        import_supplier: 'S',
        last_statement_balance: -12.5,
        billing_name: 'Ada Byron',
        customers: [{ given_name: 'Ada', date_of_birth: '1985-12-10', mobile: '+447400123456', customer_preferences: { opted_in: true } }],
        payment_instructions: [{ vendor: 'STRIPE', bank_account: { account_number: '1234', iban: '5678', account_holder: 'Ada' } }],
        metadata: [{ key: 'k', value: { type: 'a type', reason: ['text'] } }],
        type: { street: 'Main Street' },
        nothing: null,
        empty: '',
      }),
    ).toEqual({
      import_supplier: 'S',
      last_statement_balance: -12.5,
      billing_name: 'A•••',
      customers: [{ given_name: '•••', date_of_birth: '•••', mobile: '•••', customer_preferences: { opted_in: '•••' } }],
      payment_instructions: [{ vendor: 'STRIPE', bank_account: { account_number: '•••', iban: '•••', account_holder: '•••' } }],
      metadata: [{ key: '•••', value: { type: 'a•••', reason: ['t•••'] } }],
      type: { street: 'M•••' },
      nothing: null,
      empty: '',
    });
  });
});

describe('rates', () => {
  const minute = 1_000;
  it.each([
    ['nothing imported', [], 0],
    ['only long ago', [{ minute: minute - 6, processed: 100, errored: 0 }], 0],
    ['within the first minute', [{ minute, processed: 30, errored: 2 }], 30],
    [
      'over several minutes',
      [
        { minute: minute - 3, processed: 30, errored: 0 },
        { minute, processed: 5, errored: 0 },
      ],
      10,
    ],
    [
      'since the first in which anything was',
      [
        { minute: minute - 3, processed: 0, errored: 9 },
        { minute, processed: 5, errored: 0 },
      ],
      5,
    ],
  ])('%s', (_, minutes, rate) => {
    expect(ratePerMinute(minutes, (minute + 0.5) * 60_000)).toBe(rate);
  });

  it('look less than five minutes back', () => {
    const imported = (ago: number) => ratePerMinute([{ minute: minute - ago, processed: 10, errored: 0 }], minute * 60_000);
    expect([imported(4), imported(5)]).toEqual([2.5, 0]);
  });

  it('shows the time left only while something moves', () => {
    expect(minutesLeft(100, 20)).toBe(5);
    expect(minutesLeft(100, 0)).toBeUndefined();
    expect(minutesLeft(0, 20)).toBeUndefined();
  });
});
