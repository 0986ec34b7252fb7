/**
 * Rows as SQL returns them, typed by the tables: a statement that reads a column names it here, and a column that changes its
 * name or type breaks the build.
 */
import type { InferSelectModel } from 'drizzle-orm';
import type * as tables from './schema';

type Tables = typeof tables;
type Columns<Name extends keyof Tables> = InferSelectModel<Tables[Name], { dbColumnNames: true }>;

/** The named columns of a table, by their names in the database. */
export type RowOf<Name extends keyof Tables, Column extends keyof Columns<Name>> = Readonly<Pick<Columns<Name>, Column>>;
