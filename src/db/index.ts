export {
  commit,
  databaseOf,
  ITEMS,
  isErrorOfSql,
  jsonParameters,
  jsonTextParameters,
  query,
  type Statement,
  statement,
  type Write,
} from './client';
export { type Page, type PageQuery, readPage } from './page';
export type { RowOf } from './rows';
