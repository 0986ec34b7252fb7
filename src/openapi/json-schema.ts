/**
 * From zod to the JSON Schema of OpenAPI 3.1: nullable types in short, kinds of fields as patterns, shapes that have a name by
 * reference, words for fields.
 */
import * as z from 'zod';
import { CONDITIONS } from './conditions';
import { FIELDS, type Words } from './fields';
import { KINDS } from './kinds';

export type Json = { [key: string]: unknown };
export type Side = 'sent' | 'answered';

/** Named shapes; whatever equals one of them is replaced by a reference to it. */
export class Components {
  readonly #byText = new Map<string, string>();
  readonly schemas: Json = {};

  /** Inner shapes first: an outer one then refers to them. */
  add(name: string, schema: z.ZodType, side: Side, words: Words = FIELDS): void {
    const shape = this.#shapeOf(schema, side);
    this.#byText.set(JSON.stringify(shape), name);
    this.schemas[name] = { ...Object(side === 'sent' ? worded(shape, words) : shape), ...CONDITIONS[name] };
  }

  schemaOf(schema: z.ZodType, side: Side, words: Words = FIELDS): unknown {
    const shape = this.#shapeOf(schema, side);
    return side === 'sent' ? worded(shape, words) : shape;
  }

  #shapeOf(schema: z.ZodType, side: Side): unknown {
    const { $schema, ...shape } = z.toJSONSchema(schema, { io: side === 'sent' ? 'input' : 'output', unrepresentable: 'any' });
    return this.#named(shape, side);
  }

  #named(value: unknown, side: Side): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#named(item, side));
    if (!isJson(value)) return value;
    const copy: Json = {};
    for (const [key, child] of Object.entries(value)) {
      if (side === 'answered' && key === 'additionalProperties' && child === false) continue;
      copy[key] = key === 'properties' && isJson(child) ? mapped(child, (field) => this.#named(field, side)) : this.#named(child, side);
    }
    const shape = ofKind(withoutNullBranch(copy));
    const name = this.#byText.get(JSON.stringify(shape));
    return name === undefined ? shape : { $ref: `#/components/schemas/${name}` };
  }
}

const mapped = (value: Json, change: (child: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child, key)]));

/** The kind that a field names as its format, in the words of JSON Schema. */
function ofKind(schema: Json): Json {
  const { format, ...rest } = schema;
  return typeof format === 'string' && Object.hasOwn(KINDS, format) ? { ...rest, ...KINDS[format] } : schema;
}

/** Adds what `words` say of fields, at any depth. A reference keeps its own. */
function worded(value: unknown, words: Words): unknown {
  if (Array.isArray(value)) return value.map((item) => worded(item, words));
  if (!isJson(value)) return value;
  return mapped(value, (child, key) =>
    key === 'properties' && isJson(child)
      ? mapped(child, (field, name) => described(worded(field, words), Object.hasOwn(words, name) ? words[name] : undefined))
      : worded(child, words),
  );
}

function described(schema: unknown, said: string | Json | undefined): unknown {
  if (said === undefined || !isJson(schema) || 'description' in schema) return schema;
  return { ...schema, ...(typeof said === 'string' ? { description: said } : said) };
}

/** `anyOf: [T, null]` as one type, so that readers and generators see a T that may be null. */
function withoutNullBranch(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [type, nothing]: unknown[] = anyOf;
  if (!isJson(type) || !isJson(nothing) || nothing['type'] !== 'null') return schema;
  const types: unknown[] = [type['type']].flat();
  if (!types.every((one) => typeof one === 'string')) return schema;
  const choices = Array.isArray(type['enum']) ? { enum: [...type['enum'], null] } : {};
  return { ...rest, ...type, ...choices, type: [...types, 'null'] };
}

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
