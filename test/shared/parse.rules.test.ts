import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { errorItem, type FieldError, fieldError, inPayloadOrder, valueAt } from '../../src/shared/errors';
import { amount, choice, date, integer, line, list, optional, optionalChoice, optionalList, requiredLine } from '../../src/shared/fields';
import { isRefused, parse } from '../../src/shared/parse';

const body = z.object({
  name: requiredLine(5),
  kind: choice(['A', 'B']),
  nick: optional(line(3)),
  mood: optionalChoice(['GLAD', 'SAD']),
  born: optional(date),
  sum: optional(amount),
  count: optional(integer(1, 9)),
  flag: optional(z.boolean()),
  any: optional(z.number()),
  items: list(z.object({ id: requiredLine(3), tags: optionalList(line(2), 2) }), 2),
  metadata: optional(z.array(z.object({ key: requiredLine(3), value: z.unknown() }))),
  own: optional(z.looseObject({})),
});

const right = { name: 'Ada', kind: 'A', items: [{ id: '1' }] };
const errorsIn = (raw: unknown) => parse(body, raw).errors.map(({ path, code }) => `${path.join('.')} ${code}`);
const detailOf = (raw: unknown) => parse(body, raw).errors[0]?.detail;

describe('a body that is right', () => {
  it('is its own draft and value, without what was not given', () => {
    const raw = {
      ...right,
      nick: '',
      mood: '',
      born: null,
      sum: '1.50',
      extra: 1,
      items: [
        { id: '1', tags: [] },
        { id: '2', tags: ['x'] },
      ],
    };
    const { draft, value, errors } = parse(body, raw);
    expect(errors).toEqual([]);
    expect(value).toEqual({ name: 'Ada', kind: 'A', sum: '1.50', extra: 1, items: [{ id: '1' }, { id: '2', tags: ['x'] }] });
    expect(draft).toEqual(value);
    expect(raw).toEqual({
      ...right,
      nick: '',
      mood: '',
      born: null,
      sum: '1.50',
      extra: 1,
      items: [
        { id: '1', tags: [] },
        { id: '2', tags: ['x'] },
      ],
    });
  });

  it('keeps what no field describes to the last null: metadata, objects of the importer’s own, undocumented fields at any depth', () => {
    const nothing = { b: null, c: '', d: [], e: { f: null } };
    const raw = {
      ...right,
      nick: null,
      items: [{ id: '1', tags: [], more: nothing, less: null }],
      metadata: [{ key: 'a', value: nothing, more: '' }],
      own: { a: null, b: { c: '' } },
      more: nothing,
      less: [],
    };
    const { nick, items, ...kept } = raw;
    expect(parse(body, raw).value).toEqual({ ...kept, items: [{ id: '1', more: nothing, less: null }] });
    expect(parse(body, { ...raw, kind: 'wrong' }).draft).toEqual({
      ...kept,
      kind: undefined,
      items: [{ id: '1', more: nothing, less: null }],
    });
  });

  it('keeps a field called __proto__ as sent, whether or not others are left out', () => {
    const text = '{"__proto__":{"a":null},"name":"Ada","kind":"A","items":[{"id":"1"}]}';
    const withNothing = text.replace('"kind"', '"nick":null,"kind"');
    for (const sent of [text, withNothing]) expect(JSON.stringify(parse(body, JSON.parse(sent)).value)).toBe(text);
  });

  it('shares what does not change with what was sent', () => {
    const metadata = [{ key: 'a', value: { deep: [1] } }];
    const { value } = parse(body, { ...right, metadata });
    expect(value?.metadata?.[0]?.value).toBe(metadata[0]?.value);
  });
});

describe('a value that is stored as sent', () => {
  const sent = (value: unknown) => ({ ...right, metadata: [{ key: 'a', value }], own: { x: [value] }, more: { deep: [{ y: value }] } });
  const at = (code: string, below = '') =>
    [`metadata.0.value${below}`, `own.x.0${below}`, `more.deep.0.y${below}`].map((path) => `${path} ${code}`);

  it.each([null, true, '', 'a\tb\r\n', 0, -0, 5e-324, 2 ** 60, 'é 佐藤 🐕\u200b', [], [null], { '': '' }, { 'a\nb': 1 }])(
    'is %j',
    (value) => expect(errorsIn(sent(value))).toEqual([]),
  );

  it.each<[unknown, string, string]>([
    ['a\u0000', 'invalid', ''],
    ['\u007f', 'invalid', ''],
    ['\u0085', 'invalid', ''],
    ['\ud800', 'invalid', ''],
    ['a\udfffb', 'invalid', ''],
    [Number.POSITIVE_INFINITY, 'max_digits', ''],
    [Number.NEGATIVE_INFINITY, 'invalid', ''],
    [[1, { z: '\u0000' }], 'invalid', '.1.z'],
    [{ 'a\u0000': 1 }, 'invalid', '.a\u0000'],
    [{ '\ud800': 1 }, 'invalid', '.\ud800'],
  ])('is not %j: %s, at its place', (value, code, below) => {
    expect(errorsIn(sent(value))).toEqual(at(code, below));
    expect(parse(body, sent(value)).value).toBeUndefined();
  });

  it('is named beside all other errors, and leaves the rest in the draft', () => {
    const { draft, errors } = parse(body, { ...right, kind: 'C', more: '\u0000', own: { a: 1, b: '\u0000' } });
    expect(errors.map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual(['kind invalid_choice', 'more invalid', 'own.b invalid']);
    expect(draft).toMatchObject({ name: 'Ada', own: { a: 1, b: undefined } });
  });

  it('is named up to a thousand times', () => {
    const more = Array.from({ length: 5_000 }, () => '\u0000');
    expect(parse(body, { ...right, more, own: { more } }).errors).toHaveLength(1_000);
  });
});

describe('a number that a double cannot say', () => {
  it.each([
    ['sum', Number.POSITIVE_INFINITY, 'max_digits'],
    ['sum', Number.NEGATIVE_INFINITY, 'invalid'],
    ['count', Number.POSITIVE_INFINITY, 'max_digits'],
    ['any', Number.POSITIVE_INFINITY, 'max_digits'],
    ['any', Number.NEGATIVE_INFINITY, 'invalid'],
    ['nick', Number.POSITIVE_INFINITY, 'invalid'],
    ['flag', Number.POSITIVE_INFINITY, 'invalid'],
    ['mood', Number.POSITIVE_INFINITY, 'invalid_choice'],
  ])('is refused in %s (%d) as %s', (field, value, code) => {
    expect(errorsIn({ ...right, [field]: value })).toEqual([`${field} ${code}`]);
  });
});

describe('a body that is wrong', () => {
  it.each([
    ['text', 'x'],
    ['nothing', null],
    ['a list', []],
    ['a number', 1],
  ])('as a whole (%s) is one error at the root', (_, raw) => {
    const { draft, value, errors } = parse(body, raw);
    expect(errors).toEqual([{ path: [], code: 'invalid', detail: 'Invalid data. Expected an object.' }]);
    expect([draft, value]).toEqual([{}, undefined]);
  });

  it.each<[string, object, string, string]>([
    ['absent', { name: undefined }, 'name required', 'This field is required.'],
    ['null', { name: null }, 'name null', 'This field may not be null.'],
    ['empty', { name: '' }, 'name blank', 'This field may not be blank.'],
    ['white space', { name: ' \t' }, 'name blank', 'This field may not be blank.'],
    ['too long', { name: 'abcdef' }, 'name max_length', 'Ensure this field has no more than 5 characters.'],
    ['control characters', { name: 'a\u0000' }, 'name invalid', 'Take control characters and lone surrogates out.'],
    ['no string', { name: 5 }, 'name invalid', 'Not a valid string.'],
    ['no choice', { kind: 'C' }, 'kind invalid_choice', 'This is not a valid choice.'],
    ['a choice of white space', { kind: ' ' }, 'kind blank', 'This field may not be blank.'],
    ['an optional choice of white space', { mood: ' ' }, 'mood invalid_choice', 'This is not a valid choice.'],
    ['a choice of another type', { kind: 5 }, 'kind invalid_choice', 'This is not a valid choice.'],
    ['no date', { born: '' }, 'born invalid_date', 'Enter a date that exists, in the form YYYY-MM-DD.'],
    ['no amount', { sum: true }, 'sum invalid', 'A valid number is required.'],
    ['no number', { any: 'x' }, 'any invalid', 'A valid number is required.'],
    ['no boolean', { flag: 'true' }, 'flag invalid', 'Must be a valid boolean.'],
    ['no integer', { count: 1.5 }, 'count invalid', 'A valid integer is required.'],
    ['below the least', { count: 0 }, 'count min_value', 'Ensure this value is greater than or equal to 1.'],
    ['above the most', { count: 10 }, 'count max_value', 'Ensure this value is less than or equal to 9.'],
    ['no list', { items: {} }, 'items not_a_list', 'Expected a list of items.'],
    ['an empty list', { items: [] }, 'items empty', 'This list may not be empty.'],
    [
      'a list too long',
      { items: [{ id: '1' }, { id: '2' }, { id: '3' }] },
      'items max_length',
      'Ensure this field has no more than 2 elements.',
    ],
    ['no object', { items: ['x'] }, 'items.0 invalid', 'Invalid data. Expected an object.'],
    ['an item of null', { items: [null] }, 'items.0 null', 'This field may not be null.'],
  ])('in a field (%s) names it', (_, over, error, detail) => {
    const raw = { ...right, ...over };
    expect([errorsIn(raw), detailOf(raw)]).toEqual([[error], detail]);
  });

  it('leaves what is right in the draft, and holds the places of what is not', () => {
    const raw = { name: '', kind: 'A', nick: 'Ada', items: [{ id: 5, tags: ['x'] }, 'y', { id: '3' }] };
    const { draft, value } = parse(body, raw);
    expect(value).toBeUndefined();
    expect(draft).toMatchObject({ kind: 'A', nick: 'Ada' });
    expect([isRefused(draft, 'name'), isRefused(draft, 'kind'), isRefused(draft, 'born')]).toEqual([true, false, false]);
    expect(parse(body, { ...raw, items: [{ id: 5, tags: ['x'] }, 'y'] }).draft.items).toEqual([{ id: undefined, tags: ['x'] }, undefined]);
    expect(raw.items[1]).toBe('y');
  });

  it('distinguishes a required field that was not sent from one that was refused', () => {
    const { draft, errors } = parse(body, { kind: 'A', items: 5 });
    expect(errors).toHaveLength(2);
    expect([isRefused(draft, 'name'), isRefused(draft, 'items')]).toEqual([false, true]);
  });
});

it.each([
  ['a pattern', z.string().regex(/^a$/)],
  ['a refinement', z.string().refine((text) => text === 'a')],
])('%s of zod’s own is reported as `invalid`', (_, type) => {
  expect(parse(z.object({ x: type }), { x: 'b' }).errors).toEqual([fieldError(['x'], 'invalid', expect.stringMatching(/^Invalid/))]);
});

describe('the order of errors', () => {
  const at = (...path: (string | number)[]): FieldError => fieldError(path, 'invalid', 'words');
  const ordered = (raw: unknown, ...errors: FieldError[]) => inPayloadOrder(raw, errors).map(({ path }) => path.join('.'));

  it('is that of the payload, absent fields last among their siblings', () => {
    const raw = { b: [{ y: 1, x: 2 }, {}], a: 1 };
    const errors = [at('missing'), at('a'), at('b', 1), at('b', 0, 'gone'), at('b', 0, 'x'), at('b', 0, 'y'), at('b')];
    expect(ordered(raw, ...errors)).toEqual(['b', 'b.0.y', 'b.0.x', 'b.0.gone', 'b.1', 'a', 'missing']);
  });

  it('is that of finding where the payload has none', () => {
    expect(ordered({}, at('z'), at('a'))).toEqual(['z', 'a']);
    expect(ordered('text', at('z'), at('a'))).toEqual(['z', 'a']);
    expect(ordered(null, at('a', 'b'), at('a'))).toEqual(['a', 'a.b']);
  });

  it('reports an input once for each code', () => {
    const errors = [at('a'), at('a'), fieldError(['a'], 'unique', 'words'), at('b')];
    expect(inPayloadOrder({ a: 1, b: 1 }, errors).map(({ path, code }) => [path[0], code])).toEqual([
      ['a', 'invalid'],
      ['a', 'unique'],
      ['b', 'invalid'],
    ]);
  });

  it('takes numbers for places of a list', () => {
    const raw = { list: Array.from({ length: 12 }, () => 0) };
    expect(ordered(raw, at('list', 10), at('list', 9), at('list', 2))).toEqual(['list.2', 'list.9', 'list.10']);
  });
});

describe('what a rule finds missing', () => {
  const ordered = (sent: unknown) => inPayloadOrder({ a: sent }, [fieldError(['a'], 'required', 'words')]);

  it.each([
    [undefined, 'required', 'words'],
    [null, 'null', 'This field may not be null.'],
    ['', 'blank', 'This field may not be blank.'],
    [' ', 'blank', 'This field may not be blank.'],
    [[], 'empty', 'This list may not be empty.'],
  ])('is reported in the words of %j', (sent, code, detail) => {
    expect(ordered(sent)).toEqual([{ path: ['a'], code, detail }]);
  });

  it.each([[0], ['x'], [['x']], [{}], [false]])('is not reported where %j was refused already', (sent) => {
    expect(ordered(sent)).toEqual([]);
  });
});

describe('a path', () => {
  it('leads to own values only', () => {
    const root = { a: [{ b: 1 }], n: null };
    expect(valueAt(root, [])).toBe(root);
    expect(valueAt(root, ['a', 0, 'b'])).toBe(1);
    for (const path of [['a', 1], ['a', 0, 'b', 'c'], ['n', 'x'], ['toString'], ['a', 'length', 'x'], ['__proto__']]) {
      expect(valueAt(root, path)).toBeUndefined();
    }
  });

  it('is dotted on the wire', () => {
    expect(errorItem(fieldError(['customers', 0, 'landline'], 'blank', 'words'))).toEqual({
      attr: 'customers.0.landline',
      code: 'blank',
      detail: 'words',
    });
  });
});
