/** The fields of the wire, read from the schemas that the service itself reads with. */
import { toJSONSchema, type z } from 'zod';
import { accountBody } from '../../accounts/schema';
import { notesBody } from '../../notes/schema';
import { paymentInstructionBody } from '../../payment-instructions/schema';
import { statementsBody } from '../../statements/schema';
import { transactionsBody } from '../../transactions/schema';

export type FieldKind = 'text' | 'decimal' | 'number' | 'integer' | 'boolean' | 'date' | 'datetime' | 'any';

/** A value, a list of items, or an object of fields by name; `isOpen` where it takes any other name as well. */
export type Field =
  | { readonly shape: 'value'; readonly kind: FieldKind }
  | { readonly shape: 'list'; readonly item: Field }
  | { readonly shape: 'object'; readonly fields: ReadonlyMap<string, Field>; readonly isOpen: boolean };

export type ObjectField = Extract<Field, { shape: 'object' }>;

/** What a command sends one of a record. */
export type RecordKind = 'accounts' | 'notes' | 'transactions' | 'statements' | 'payment-instructions';

const SCHEMAS: Readonly<Record<RecordKind, z.ZodType>> = {
  accounts: accountBody,
  notes: notesBody,
  transactions: transactionsBody,
  statements: statementsBody,
  'payment-instructions': paymentInstructionBody,
};

const read = new Map<RecordKind, ObjectField>();

export function fieldsOf(kind: RecordKind): ObjectField {
  const known = read.get(kind);
  if (known) return known;
  const json: Json = JSON.parse(JSON.stringify(toJSONSchema(SCHEMAS[kind], { io: 'input', unrepresentable: 'any' })));
  const made = objectOf(json);
  read.set(kind, made);
  return made;
}

/** The lists of an account: what may come as a sheet of its own. */
export const accountLists = (): string[] =>
  [...fieldsOf('accounts').fields].flatMap(([name, { shape }]) => (shape === 'list' ? [name] : []));

/** The field that a dotted path such as `customers.0.given_name` leads to; undefined where no schema knows it. */
export function fieldAt(root: Field, path: string): Field | undefined {
  let field: Field | undefined = root;
  for (const step of path.split('.')) {
    if (field?.shape === 'object') field = field.fields.get(step) ?? (field.isOpen ? ANY : undefined);
    else if (field?.shape === 'list') field = /^(?:0|[1-9]\d{0,3})$/.test(step) ? field.item : undefined;
    else return field?.kind === 'any' ? ANY : undefined;
  }
  return field;
}

const ANY: Field = { shape: 'value', kind: 'any' };

/** The part of JSON Schema that zod prints for the wire. */
interface Json {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: Json | boolean;
}

function fieldOf(json: Json): Field {
  const given = json.anyOf?.find(({ type }) => type !== 'null') ?? json;
  const types = [given.type ?? []].flat().filter((type) => type !== 'null');
  if (types.includes('array')) return { shape: 'list', item: fieldOf(given.items ?? {}) };
  if (types.includes('object')) return objectOf(given);
  return { shape: 'value', kind: kindOf(types, given.format) };
}

function objectOf({ properties = {}, additionalProperties = false }: Json): ObjectField {
  const fields = new Map(Object.entries(properties).map(([name, json]) => [name, fieldOf(json)]));
  return { shape: 'object', fields, isOpen: additionalProperties !== false };
}

function kindOf(types: readonly string[], format: string | undefined): FieldKind {
  if (types.includes('number')) return types.includes('string') ? 'decimal' : 'number';
  if (types.includes('integer')) return 'integer';
  if (types.includes('boolean')) return 'boolean';
  if (!types.includes('string')) return 'any';
  if (format === 'date') return 'date';
  return format?.includes('date-time') ? 'datetime' : 'text';
}
