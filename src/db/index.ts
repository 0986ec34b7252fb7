export { commit, databaseOf, isErrorOfSql, jsonParameters, query, type Statement, statement, type Write } from './client';
export type { RowOf } from './rows';
