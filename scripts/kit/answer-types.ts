/**
 * Prints the answer types of the client from the shapes that the reference has of them. `wire-types.ts` prints the requests.
 */
import { toJSONSchema, type z } from 'zod';

/** The part of JSON Schema that zod prints for answers. */
interface Json {
  readonly type?: string | readonly string[];
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

type Names = ReadonlyMap<string, string>;

/** `schemas`: name of the type -> shape; parts before what is made of them. */
export function answerTypes(schemas: Readonly<Record<string, z.ZodType>>): string {
  const names = new Map<string, string>();
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _, ...json } = JSON.parse(JSON.stringify(toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })));
    const printed =
      json.type === 'object'
        ? `export interface ${name} ${objectOf(json, names, '')}`
        : `export type ${name} = ${typeOf(json, names, '')};`;
    names.set(keyOf(json), name);
    return `${printed}\n`;
  });
  return parts.join('\n');
}

/** Two fields of one shape may be described differently. */
const keyOf = ({ description: _, ...json }: Json): string => JSON.stringify(json);

function objectOf(json: Json, names: Names, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(json.properties ?? {}).map(([key, field]) => {
    const about = field.description === undefined ? '' : `${inner}/** ${field.description} */\n`;
    return `${about}${inner}readonly ${key}${json.required?.includes(key) ? '' : '?'}: ${typeOf(field, names, inner)};`;
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`;
}

const FORMATS: Readonly<Record<string, string>> = { date: 'IsoDate', 'date-time': 'IsoDatetime' };

function typeOf(json: Json, names: Names, indent: string): string {
  const name = names.get(keyOf(json));
  if (name) return name;
  if (json.const !== undefined) return typeof json.const === 'string' ? `'${json.const}'` : String(json.const);
  if (json.enum) return json.enum.map((value) => `'${value}'`).join(' | ');
  if (json.anyOf) return json.anyOf.map((one) => typeOf(one, names, indent)).join(' | ');
  if (Array.isArray(json.type)) return json.type.join(' | ');
  if (json.type === 'array') {
    const item = typeOf(json.items ?? {}, names, indent);
    return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (json.type === 'object') return objectOf(json, names, indent);
  if (json.type === 'string') return FORMATS[json.format ?? ''] ?? 'string';
  if (json.type === 'integer') return 'number';
  return typeof json.type === 'string' ? json.type : 'unknown';
}
