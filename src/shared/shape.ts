/**
 * What of a value its schema documents, and what it leaves to the sender: undocumented fields are stored with the object they
 * came in, to the last `null`, and are not part of answers (§2.1). Pure.
 */
import * as z from 'zod';

/** How far a schema looks into a value. */
export type Shape =
  /**
   * `others` is what the fields without a name of their own are; undefined: undocumented, so stored as sent. `takesOwn`: the sender may
   * have fields of its own here.
   */
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape>; readonly others: Shape | undefined; readonly takesOwn: boolean }
  /** `longest`: how many items it may have. */
  | { readonly kind: 'list'; readonly item: Shape; readonly longest: number }
  /** Any value at all, stored as sent. */
  | { readonly kind: 'as_sent' }
  | { readonly kind: 'leaf' };

const SHAPES = new WeakMap<object, Shape>();

/** The shape of a schema, made when it is first asked for. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = SHAPES.get(schema);
  if (!shape) {
    shape = shapeOfType(schema);
    SHAPES.set(schema, shape);
  }
  return shape;
}

function shapeOfType(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  if (schema instanceof z.ZodArray) return { kind: 'list', item: shapeOf(schema.element), longest: longestOf(schema) };
  if (schema instanceof z.ZodUnknown) return { kind: 'as_sent' };
  if (!(schema instanceof z.ZodObject)) return { kind: 'leaf' };
  const others = othersOf(schema);
  return {
    kind: 'object',
    fields: new Map(Object.entries(schema.shape).map(([key, type]) => [key, shapeOf(type)])),
    others: others && shapeOf(others),
    takesOwn: schema.def.catchall !== undefined,
  };
}

const longestOf = ({ def }: z.ZodArray): number =>
  Math.min(...(def.checks ?? []).map(({ _zod }) => Number(Reflect.get(_zod.def, 'maximum') ?? Number.POSITIVE_INFINITY)));

/** The type of the fields that a schema does not name; undefined where it says nothing of them. */
export function othersOf({ def }: z.ZodObject): z.core.$ZodType | undefined {
  return def.catchall instanceof z.ZodUnknown ? undefined : def.catchall;
}

/** A value that the schema accepts without its undocumented fields, at any depth: itself where there are none. */
// What is left out is none of T's.
export const documentedOf = <T>(schema: z.ZodType, value: T): T => documentedPart(shapeOf(schema), value) as T;

/** The same of a value of any form. */
export function documentedPart(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'list' && Array.isArray(value)) {
    const items: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let i = 0; i < items.length; i++) {
      const part = documentedPart(shape.item, items[i]);
      if (part === items[i]) continue;
      copy ??= [...items];
      copy[i] = part;
    }
    return copy ?? value;
  }
  if (shape.kind !== 'object' || shape.others || !isObject(value)) return value;
  const { fields } = shape;
  const partOf = (key: string): unknown => documentedPart(fields.get(key) ?? LEAF, value[key]);
  const keys = Object.keys(value);
  if (keys.every((key) => fields.has(key) && partOf(key) === value[key])) return value;
  return Object.fromEntries(keys.filter((key) => fields.has(key)).map((key) => [key, partOf(key)]));
}

const LEAF: Shape = { kind: 'leaf' };

/**
 * What {@link documentedOf} leaves out, in its place: lists hold `{}` for an item without any. Undefined if there is nothing.
 */
export const undocumentedOf = (schema: z.ZodType, value: unknown): object | undefined => undocumentedPart(shapeOf(schema), value);

function undocumentedPart(shape: Shape, value: unknown): object | undefined {
  if (shape.kind === 'list' && Array.isArray(value)) {
    const parts = value.map((item: unknown) => undocumentedPart(shape.item, item));
    return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? {}) : undefined;
  }
  if (shape.kind !== 'object' || shape.others || !isObject(value)) return undefined;
  const fields: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const field = shape.fields.get(key);
    const part = field ? undocumentedPart(field, value[key]) : value[key];
    if (!field || part !== undefined) fields.push([key, part]);
  }
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** The value without what its documented optional fields do not say: `null`, `''`, `[]`. What was refused stays, as undefined. */
export function givenPart(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'list' && Array.isArray(value))
    return value.map((item: unknown) => (item === undefined ? item : givenPart(shape.item, item)));
  if (shape.kind !== 'object' || !isObject(value)) return value;
  const fields = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const field = shape.fields.get(key) ?? shape.others;
    if (!field || field.kind === 'as_sent') return [[key, child]];
    const part = givenPart(field, child);
    return isNotGiven(part) ? [] : [[key, part]];
  });
  return Object.fromEntries(fields);
}

/** True for what says nothing in an optional field. */
export const isNotGiven = (value: unknown): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
