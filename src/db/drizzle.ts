/**
 * Drizzle as this service uses it: its builders write the text of a query, once; D1 runs that text in our batches (`client.ts`).
 *
 * The only file that looks into Drizzle's builders (the fields that a finished one answers). `test/db/drizzle.test.ts` fails
 * loudly when an upgrade moves them.
 */
import { CasingCache } from 'drizzle-orm/casing';
import { Column } from 'drizzle-orm/column';
import { is } from 'drizzle-orm/entity';
import { noopDecoder, Param, Placeholder, SQL, type SQLWrapper, sql } from 'drizzle-orm/sql/sql';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core/dialect';
import { SQLiteDeleteBase } from 'drizzle-orm/sqlite-core/query-builders/delete';
import { SQLiteInsertBase } from 'drizzle-orm/sqlite-core/query-builders/insert';
import { SQLiteSelectBase } from 'drizzle-orm/sqlite-core/query-builders/select';
import { SQLiteUpdateBase } from 'drizzle-orm/sqlite-core/query-builders/update';
import { drizzle } from 'drizzle-orm/sqlite-proxy';

/** Drizzle's builders. They only write text: a query runs by `commit`, which gives it its batch, its retry and its one trip. */
export const db = drizzle(() => Promise.reject(new Error('A query runs in a batch: pass it to commit.')));

const dialect = new SQLiteAsyncDialect();
const casing = new CasingCache();

/** A row as D1 answers it. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** A query's text, the names of its values in the order of their numbers, and what makes a row of D1 the row of the query. */
export interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
  /** Undefined where the rows of D1 are right as they are. */
  readonly read: ((row: AnsweredRow) => unknown) | undefined;
}

/**
 * Writes the text of a query. A named value is one numbered parameter however often it is named, because it may be an array of
 * 1.5 MB. Constants are written into the text, so that SQLite sees which partial index they allow.
 */
export function compile(query: SQLWrapper): Compiled {
  const numbers = new Map<string, number>();
  const fields = labelFields(query);
  const { sql: text } = query.getSQL().toQuery({
    casing,
    escapeName: dialect.escapeName,
    escapeString: dialect.escapeString,
    inlineParams: true,
    escapeParam: (_, chunk) => {
      const name = nameOf(chunk);
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      return `?${number}`;
    },
  });
  return { text, names: [...numbers.keys()], read: readerOf(fields) };
}

function nameOf(chunk: unknown): string {
  const value = is(chunk, Param) ? chunk.value : chunk;
  if (is(value, Placeholder)) return value.name;
  throw new Error('a value of a query has no name');
}

/** A field of a row as Drizzle keeps it. A field of a group has two steps: `['supplier', 'id']`. */
interface Field {
  readonly path: string[];
  readonly field: Column | SQL | SQL.Aliased;
}

/**
 * D1 answers rows as objects, where of two columns of one name only one would be left: gives each selected column its field's
 * name. Answers the fields; none for plain SQL and for writes that answer nothing.
 */
function labelFields(query: SQLWrapper): readonly Field[] {
  const isSelect = is(query, SQLiteSelectBase);
  if (!isSelect && !is(query, SQLiteInsertBase) && !is(query, SQLiteUpdateBase) && !is(query, SQLiteDeleteBase)) return [];
  const config: { fields?: object; fieldsFlat?: Field[]; returning?: Field[] } = Reflect.get(query, 'config');
  const fields = isSelect ? flat(config.fields ?? {}) : (config.returning ?? []);
  const labelled = fields.map(({ path, field }) => ({ path, field: labelledAs(path.join('.'), field) }));
  if (isSelect) config.fieldsFlat = labelled;
  else if (config.returning) config.returning = labelled;
  return fields;
}

const labelledAs = (label: string, field: Field['field']): SQL.Aliased =>
  is(field, SQL.Aliased) && !Reflect.get(field, 'isSelectionField') ? field.sql.as(label) : sql`${field}`.as(label);

function flat(fields: object, path: string[] = []): Field[] {
  return Object.entries(fields).flatMap(([name, field]: [string, unknown]) => {
    const steps = [...path, name];
    if (is(field, Column) || is(field, SQL) || is(field, SQL.Aliased)) return [{ path: steps, field }];
    if (typeof field === 'object' && field !== null) return flat(field, steps);
    throw new Error(`${steps.join('.')} is no field`);
  });
}

type Decode = (value: unknown) => unknown;

/** What a value of the field goes through; undefined where it stays as it is. */
function decoderOf({ field }: Field): Decode | undefined {
  if (is(field, Column)) {
    const isOwn = field.mapFromDriverValue !== Column.prototype.mapFromDriverValue;
    return isOwn ? (value) => field.mapFromDriverValue(value) : undefined;
  }
  const decoder: { mapFromDriverValue: Decode } = Reflect.get(is(field, SQL.Aliased) ? field.sql : field, 'decoder');
  return decoder === noopDecoder ? undefined : (value) => decoder.mapFromDriverValue(value);
}

/** A group whose every field is null was not found by its join: it is null as a whole. */
function readerOf(fields: readonly Field[]): Compiled['read'] {
  const decoders = fields.map((field) => ({ label: field.path.join('.'), path: field.path, decode: decoderOf(field) }));
  const groups = Map.groupBy(decoders, ({ path }) => (path.length > 1 ? path[0] : undefined));
  const plain = groups.get(undefined) ?? [];
  if (plain.length === fields.length && plain.every(({ decode }) => decode === undefined)) return undefined;
  return (row) => {
    const read: Record<string, unknown> = {};
    for (const { label, decode } of plain) read[label] = decoded(row[label], decode);
    for (const [group, members] of groups) {
      if (group === undefined) continue;
      const isThere = members.some(({ label }) => row[label] !== null);
      read[group] = isThere ? Object.fromEntries(members.map(({ label, path, decode }) => [path[1], decoded(row[label], decode)])) : null;
    }
    return read;
  };
}

const decoded = (value: unknown, decode: Decode | undefined): unknown => (value === null || !decode ? value : decode(value));
