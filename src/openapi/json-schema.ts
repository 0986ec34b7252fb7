/**
 * From zod to the JSON Schema of OpenAPI 3.1: nullable types in short, shapes that have a name by reference, words for fields.
 */
import * as z from 'zod';
import { FIELDS } from './fields';

export type Json = { [key: string]: unknown };

/** Named shapes; whatever equals one of them is replaced by a reference to it. */
export class Components {
  readonly #byText = new Map<string, string>();
  readonly schemas: Json = {};

  /** Inner shapes first: an outer one then refers to them. */
  add(name: string, schema: z.ZodType, side: Side): void {
    const shape = this.schemaOf(schema, side);
    this.#byText.set(JSON.stringify(shape), name);
    this.schemas[name] = shape;
  }

  schemaOf(schema: z.ZodType, side: Side): unknown {
    const { $schema, ...shape } = z.toJSONSchema(schema, { io: side === 'sent' ? 'input' : 'output', unrepresentable: 'any' });
    return this.#named(shape, side);
  }

  #named(value: unknown, side: Side): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#named(item, side));
    if (!isJson(value)) return value;
    const copy: Json = {};
    for (const [key, child] of Object.entries(value)) {
      if (side === 'answered' && key === 'additionalProperties' && child === false) continue;
      copy[key] = key === 'properties' && isJson(child) ? this.#properties(child, side) : this.#named(child, side);
    }
    const shape = withoutNullBranch(copy);
    const name = this.#byText.get(JSON.stringify(shape));
    return name === undefined ? shape : { $ref: `#/components/schemas/${name}` };
  }

  #properties(properties: Json, side: Side): Json {
    return Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, described(name, this.#named(child, side), side)]));
  }
}

export type Side = 'sent' | 'answered';

/** Adds the words of `FIELDS` to a field that is sent. A reference keeps its own. */
function described(name: string, schema: unknown, side: Side): unknown {
  const words = FIELDS[name];
  if (side !== 'sent' || words === undefined || !isJson(schema) || 'description' in schema) return schema;
  return { ...schema, description: words };
}

/** `anyOf: [T, null]` as one type, so that readers and generators see a T that may be null. */
function withoutNullBranch(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [type, nothing]: unknown[] = anyOf;
  if (!isJson(type) || !isJson(nothing) || nothing['type'] !== 'null' || typeof type['type'] !== 'string') return schema;
  const choices = Array.isArray(type['enum']) ? { enum: [...type['enum'], null] } : {};
  return { ...rest, ...type, ...choices, type: [type['type'], 'null'] };
}

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
