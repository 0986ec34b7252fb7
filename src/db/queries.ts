/**
 * A query is a value: built once, at its first use, typed by the columns it names. Stores of several rooms add their queries to
 * one batch without seeing each other's.
 */
import { Buffer } from 'node:buffer';
import { Column, type GetColumnData } from 'drizzle-orm/column';
import { is } from 'drizzle-orm/entity';
import { Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm/sql/sql';
import { type AnsweredRow, type Compiled, compile } from './drizzle';

/** What can be bound to a query. */
export type Bound = string | number | null;

/** A query with its values, and the rows it answers. */
export interface Query<Row = unknown> {
  readonly sql: string;
  readonly params: readonly Bound[];
  readonly read: ((row: AnsweredRow) => unknown) | undefined;
  /** Never set; carries the row type. */
  readonly row?: Row;
}

/** The row that a query answers. */
export type RowOfQuery<S> = S extends Query<infer Row> ? Row : never;

/** A write for others to put into their batch without looking inside. */
export type Write = Query;

/** The values of a query, as its builder names them. */
export type Values<Given> = { readonly [Name in keyof Given]: SQL<Given[Name]> };

type RowOf<Built> = Built extends { readonly _: { readonly result: (infer Row)[] } } ? Row : Built extends SQL<infer Row> ? Row : never;

/**
 * A query by its builder. Whatever it is made of belongs inside the callback, which runs once, when the query is first
 * needed: a Worker starts without it.
 */
export function prepared<Given, Built extends SQLWrapper>(
  build: ($: Values<Given>) => Built,
): (values: { readonly [Name in keyof Given]: Given[Name] & Bound }) => Query<RowOf<Built>> {
  let compiled: Compiled | undefined;
  return (values) => {
    compiled ??= compile(build(named<Given>()));
    const { text, names, read } = compiled;
    return { sql: text, params: names.map((name) => boundOf(values, name)), read };
  };
}

/**
 * A query in several forms, each built when it is first needed. A form says which conditions there are and what the text names,
 * never a value; there are few.
 */
export function preparedForms<Given, Form extends object, Built extends SQLWrapper>(build: ($: Values<Given>, form: Form) => Built) {
  const forms = new Map<string, ReturnType<typeof prepared<Given, Built>>>();
  return (form: Form, values: Parameters<ReturnType<typeof prepared<Given, Built>>>[0]): Query<RowOf<Built>> => {
    const key = JSON.stringify(form);
    const one = forms.get(key) ?? prepared(($: Values<Given>) => build($, form));
    forms.set(key, one);
    return one(values);
  };
}

function boundOf(values: object, name: string): Bound {
  const value: Bound | undefined = Reflect.get(values, name);
  if (value === undefined) throw new Error(`a query lacks its value ${name}`);
  return value;
}

// Any name is a value; the type says which there are.
const named = <Given>() => new Proxy({}, { get: (_, name) => sql`${new Placeholder(String(name))}` }) as Values<Given>;

/** A field of rows that are bound and belongs to no column. */
export const field = <T>(): FieldOf<T> => ({ dataType: undefined });
interface FieldOf<T> {
  readonly dataType: undefined;
  /** Never set; carries the type. */
  readonly data?: T;
}

/** The same of text that is JSON already. It is bound and read as it is, with nothing escaped. */
export const jsonText = (): FieldOf<string | null> => JSON_TEXT;
const JSON_TEXT: FieldOf<string | null> = { dataType: undefined };

type Shape = Readonly<Record<string, Column | FieldOf<unknown>>>;
type DataOf<F> = F extends Column ? GetColumnData<F> : F extends FieldOf<infer T> ? T : never;
type RowFor<S extends Shape> = { readonly [Name in keyof S]: DataOf<S[Name]> };

/** Rows as one bound value: JSON, an array of arrays. */
export type Rows<S extends Shape> = string & { readonly rowsOf?: S };

/** The rows of a {@link rowsOf}, as a value of a query. */
export type RowValues<Given extends { value(rows: never): unknown }> = ReturnType<Given['value']>;

/** D1 refuses a bound string of 2 MB; this leaves room for what escaping adds. */
const MAX_ROWS_BYTES = 1_500_000;

/**
 * Many rows as one value of a query: any number of rows costs one parameter for each 1.5 MB. Writer and reader of the array
 * are made of the same shape, so they cannot fall out of step.
 *
 * A query selects from `from($.value)` and names its fields `row.field`, and `position` counts from 0.
 */
export function rowsOf<const Name extends string, S extends Shape>(name: Name, shape: S) {
  const table = sql.identifier(name);
  const fields = Object.entries(shape);
  const hasJsonText = fields.some(([, type]) => type === JSON_TEXT);
  const encodedRow = (row: RowFor<S>): unknown[] => fields.map(([key, type]) => encoded(type, Reflect.get(row, key)));
  const textOf = (row: RowFor<S>): string =>
    `[${encodedRow(row).map((value, index) => (fields[index]?.[1] === JSON_TEXT && value !== null ? value : JSON.stringify(value)))}]`;
  const write = (rows: readonly RowFor<S>[]): Rows<S> => (hasJsonText ? `[${rows.map(textOf)}]` : JSON.stringify(rows.map(encodedRow)));
  const rowBy = (valueAt: (index: number) => SQL) =>
    Object.fromEntries(fields.map(([key, type], index) => [key, decodedAs(type, valueAt(index))])) as {
      readonly [Key in keyof S]: SQL<DataOf<S[Key]>>;
    };
  return {
    /** The rows in as many values as they need. */
    values(rows: readonly RowFor<S>[]): Rows<S>[] {
      if (rows.length === 0) return [];
      const whole = write(rows);
      if (rows.length === 1 || Buffer.byteLength(whole) <= MAX_ROWS_BYTES) return [whole];
      const middle = Math.ceil(rows.length / 2);
      return [...this.values(rows.slice(0, middle)), ...this.values(rows.slice(middle))];
    },
    /** The rows in one value, however large: for rows of ids, which are counted. */
    value: write,
    // A subquery of its own (the limit keeps it one), because SQLite writes an item of `json_each` out anew wherever it is named.
    from: (value: SQL<Rows<S>>): SQL => sql`(SELECT key, value FROM json_each(${value}) LIMIT -1) AS ${table}`,
    position: sql<number>`${table}.key`,
    row: rowBy((index) => sql`(${table}.value ->> ${index})`),
  };
}

/** Texts as one bound value, laid end to end. */
export type Texts = string & { readonly texts?: true };

/**
 * Rows that each have a text, as two values of a query: the rows, and their texts laid end to end. SQLite cuts a text out by
 * its place, which costs a copy; as an item of a JSON array it would be parsed and written anew.
 *
 * A query selects from `from($.rows)` and names its fields `row.field`, and the text of a row is `text($.texts)`.
 */
export function textsOf<const Name extends string, S extends Shape>(name: Name, shape: S) {
  const rows = rowsOf(name, { ...shape, start: field<number>(), bytes: field<number>() });
  type Row = RowFor<S> & { readonly text: string; readonly bytes: number };
  return {
    /** The rows in as many pairs of values as their texts need; `bytes` is the length of a text in UTF-8. */
    values: (given: readonly Row[]): { readonly rows: ReturnType<typeof rows.value>; readonly texts: Texts }[] =>
      cutBySize(given).map((some) => {
        let start = 1;
        const placed = some.map((row) => {
          const place = { ...row, start };
          start += row.bytes;
          return place;
        });
        return { rows: rows.value(placed), texts: some.map(({ text }) => text).join('') };
      }),
    from: rows.from,
    row: rows.row,
    text: (texts: SQL<Texts>) => sql<string>`CAST(substr(CAST(${texts} AS BLOB), ${rows.row.start}, ${rows.row.bytes}) AS TEXT)`,
  };
}

/** The rows and texts of a {@link textsOf}, as values of a query. */
export type TextValues<Given extends { values(rows: never): readonly object[] }> = ReturnType<Given['values']>[number];

/** Parts of a list whose texts fit one bound value each. */
function cutBySize<Row extends { readonly bytes: number }>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    left -= row.bytes;
    const part = parts.at(-1);
    if (part && left >= 0) part.push(row);
    else {
      parts.push([row]);
      left = MAX_ROWS_BYTES - row.bytes;
    }
  }
  return parts;
}

const decodedAs = (type: Column | FieldOf<unknown>, value: SQL): SQL => (is(type, Column) ? value.mapWith(type) : value);

/** JSON columns hold their value as JSON already; what SQLite reads of it is its text. */
function encoded(type: Column | FieldOf<unknown>, value: unknown): unknown {
  if (value === null || !is(type, Column) || type.dataType === 'json') return value;
  return type.mapToDriverValue(value);
}
