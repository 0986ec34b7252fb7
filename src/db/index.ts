export {
  commit,
  databaseOf,
  ITEMS,
  jsonParameters,
  jsonTextParameters,
  query,
  statement,
} from './client';
export { db } from './drizzle';
export { isErrorOfSql, isRefusedWrite } from './failures';
export { SUPPLIER } from './groups';
export { inserting } from './inserts';
export { MIGRATIONS } from './migrations';
export * from './operators';
export { type Page, type PageQuery, readPage } from './page';
export type { RowOf } from './rows';
export * from './schema';
export { sizeOf } from './size';
export {
  type Bound,
  field,
  prepared,
  preparedForms,
  type RowOfStatement,
  type Rows,
  type RowValues,
  rowsOf,
  type Statement,
  type Values,
  type Write,
} from './statements';
