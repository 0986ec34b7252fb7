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
export type { RowOf } from './rows';
