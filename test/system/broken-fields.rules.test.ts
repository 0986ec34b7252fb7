import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parse } from '../../src/shared/parse';
import { bodies } from '../support/bodies';

interface Field {
  readonly attr: string;
  readonly isOptional: boolean;
  /** A value of another type, and the code it is refused with. */
  readonly wrong: unknown;
  readonly code: string;
}

const WRONG: Readonly<Record<string, readonly [wrong: unknown, code: string]>> = {
  string: [5, 'invalid'],
  number: ['x', 'invalid'],
  boolean: ['x', 'invalid'],
  enum: [5, 'invalid_choice'],
  union: [true, 'invalid'],
  array: [{}, 'not_a_list'],
  object: ['x', 'invalid'],
  record: ['x', 'invalid'],
};

const inner = (schema: z.core.$ZodType): { schema: z.core.$ZodType; isOptional: boolean } =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? { schema: inner(schema.unwrap()).schema, isOptional: true }
    : { schema, isOptional: false };

/** Every field of a schema, holders before what they hold. */
function fieldsOf(given: z.core.$ZodType, attr = ''): Field[] {
  const { schema, isOptional } = inner(given);
  const [wrong, code] = WRONG[schema._zod.def.type] ?? [];
  const own = attr === '' || code === undefined ? [] : [{ attr, isOptional, wrong, code }];
  if (schema instanceof z.ZodObject) {
    return [...own, ...Object.entries(schema.shape).flatMap(([key, child]) => fieldsOf(child, attr === '' ? key : `${attr}.${key}`))];
  }
  return schema instanceof z.ZodArray ? [...own, ...fieldsOf(schema.element, `${attr}.0`)] : own;
}

/** Every holder, and no leaf: what is required is missing. */
function skeletonOf(given: z.core.$ZodType): unknown {
  const { schema } = inner(given);
  if (schema instanceof z.ZodArray) return [skeletonOf(schema.element)];
  if (!(schema instanceof z.ZodObject)) return undefined;
  const children = Object.entries(schema.shape).map(([key, child]) => [key, skeletonOf(child)] as const);
  return Object.fromEntries(children.filter(([, child]) => child !== undefined));
}

function put(root: unknown, attr: string, value: unknown): void {
  const steps = attr.split('.');
  let holder = root;
  for (const step of steps.slice(0, -1)) holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, step) : undefined;
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, steps.at(-1) ?? '', value);
}

const errorsIn = (schema: z.ZodObject, body: unknown): string[] =>
  parse(schema, body)
    .errors.map(({ path, code }) => `${path.join('.')} ${code}`)
    .toSorted();

/** What is wrong with the skeleton once `attr` is no longer looked into. */
const without = (errors: readonly string[], attr: string): string[] =>
  errors.filter((error) => !error.startsWith(`${attr} `) && !error.startsWith(`${attr}.`));

describe.each(bodies)('$name', ({ schema }) => {
  const fields = fieldsOf(schema);
  const skeleton = () => skeletonOf(schema);
  const missing = errorsIn(schema, skeleton());

  it('has fields', () => {
    expect(fields).not.toEqual([]);
  });

  it('names each field of another type, with its code and nothing else', () => {
    for (const { attr, wrong, code } of fields) {
      const body = skeleton();
      put(body, attr, wrong);
      expect([attr, errorsIn(schema, body)]).toEqual([attr, [...without(missing, attr), `${attr} ${code}`].toSorted()]);
    }
  });

  it('takes null for "not given" where a field is optional, and names it where it is required', () => {
    for (const { attr, isOptional } of fields) {
      const body = skeleton();
      put(body, attr, null);
      expect([attr, errorsIn(schema, body)]).toEqual([
        attr,
        [...without(missing, attr), ...(isOptional ? [] : [`${attr} null`])].toSorted(),
      ]);
    }
  });

  it('names all fields at once', () => {
    const leaves = fields.filter(({ attr }) => !fields.some((other) => other.attr.startsWith(`${attr}.`)));
    const body = skeleton();
    for (const { attr, wrong } of leaves) put(body, attr, wrong);
    // What takes any value at all can only be missing.
    const rest = leaves.reduce((errors, { attr }) => without(errors, attr), missing);
    expect(errorsIn(schema, body)).toEqual([...rest, ...leaves.map(({ attr, code }) => `${attr} ${code}`)].toSorted());
  });
});

it('every body is found', () => {
  expect(bodies.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'accountBody',
      'notesBody',
      'transactionsBody',
      'statementsBody',
      'paymentInstructionBody',
      'graphqlRequest',
      'supplierBody',
    ]),
  );
});
