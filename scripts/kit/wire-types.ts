/**
 * Prints the request types of the client from the zod schemas that validate them, so that the client needs neither zod nor the
 * service's code. `npm run build` writes them to `src/kit/client/wire.ts`; a test holds that file to the schemas.
 */
import { toJSONSchema, type z } from 'zod';

/** The part of JSON Schema that zod prints for the wire. */
interface Json {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json | false;
}

type Names = ReadonlyMap<string, string>;

const HEAD = `/**
 * What the service takes and answers (§2.3–2.9, §4). Printed from its declared endpoints and shapes by \`npm run build\`; not edited by hand.
 */

/** \`null\` means not given, as leaving the field out does (§2.1). */
export type Optional<T> = T | null | undefined;
/** \`YYYY-MM-DD\`. */
export type IsoDate = string;
/** ISO 8601, for example \`2026-01-31T09:30:00Z\`; without an offset it is UTC. */
export type IsoDatetime = string;
/** A decimal as a number or as text; text keeps every digit. */
export type Decimal = number | string;
`;

/** `schemas`: name of the interface -> schema; parts before what is made of them. */
export function wireTypes(schemas: Readonly<Record<string, z.ZodType>>): string {
  const names = new Map<string, string>();
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _, ...json } = JSON.parse(JSON.stringify(toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
    const printed = `export interface ${name} ${objectOf(json, names, '')}\n`;
    names.set(JSON.stringify(json), name);
    return printed;
  });
  return [HEAD, ...parts].join('\n');
}

function objectOf(json: Json, names: Names, indent: string): string {
  const required = new Set(json.required ?? []);
  const fields = Object.entries(json.properties ?? {}).map(([key, value]) => {
    const given = withoutNull(value);
    const type = typeOf(given ?? value, names, `${indent}  `);
    return `${indent}  ${key}${required.has(key) ? `: ${type}` : `?: Optional<${type}>`};`;
  });
  const others = json.additionalProperties;
  if (others !== undefined && others !== false) {
    const other = withoutNull(others);
    const type = Object.keys(others).length === 0 ? 'unknown' : `Optional<${typeOf(other ?? others, names, indent)}>`;
    fields.push(`${indent}  [key: string]: ${type};`);
  }
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`;
}

/** The schema of an optional field without its `null`; undefined if `null` is not allowed. */
function withoutNull(json: Json): Json | undefined {
  if (Array.isArray(json.type) && json.type.includes('null')) {
    const [type = '', ...others] = json.type.filter((name) => name !== 'null');
    return { ...json, type: others.length === 0 ? type : [type, ...others] };
  }
  const given = json.anyOf?.filter(({ type }) => type !== 'null');
  return given?.length === 1 ? given[0] : undefined;
}

const FORMATS: Readonly<Record<string, string>> = { date: 'IsoDate', 'date-time': 'IsoDatetime' };

function typeOf(json: Json, names: Names, indent: string): string {
  const name = names.get(JSON.stringify(json));
  if (name) return name;
  if (json.enum) {
    const values = json.enum.filter((value) => value !== '').map((value) => `'${value}'`);
    return values.join(' | ');
  }
  // The one union of the wire.
  if (Array.isArray(json.type)) return 'Decimal';
  if (json.type === 'array') {
    const item = typeOf(json.items ?? {}, names, indent);
    return /^'.* \| '/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (json.type === 'object') return objectOf(json, names, indent);
  if (json.type === 'string') return FORMATS[json.format ?? ''] ?? 'string';
  if (json.type === 'integer') return 'number';
  return typeof json.type === 'string' ? json.type : 'unknown';
}
