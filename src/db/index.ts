export {
  commit,
  databaseOf,
  ITEMS,
  jsonParameters,
  jsonTextParameters,
  query,
  type Statement,
  statement,
  type Write,
} from './client';
export { isErrorOfSql, isRefusedWrite } from './failures';
export { MIGRATIONS } from './migrations';
export { type Page, type PageQuery, readPage } from './page';
export type { RowOf } from './rows';
export { sizeOf } from './size';
