export {
  commit,
  commitPart,
  databaseOf,
  joined,
  joinedAll,
  type Part,
  part,
  query,
} from './client';
export { db } from './drizzle';
export { isErrorOfSql, isRefusedWrite } from './failures';
export { SUPPLIER } from './groups';
export { inserting } from './inserts';
export { d1Migrations, MIGRATIONS } from './migrations';
export * from './operators';
export { type Page, type PageQuery, readPage } from './page';
export {
  field,
  jsonText,
  prepared,
  preparedForms,
  type Query,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type TextValues,
  textsOf,
  type Values,
  type Write,
} from './queries';
export * from './schema';
export * from './schema-operator';
export { sizeOf } from './size';
