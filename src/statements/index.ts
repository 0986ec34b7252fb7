export { statementErrors } from './rules';
export { type HistoricalStatement, type HistoricalStatementDraft, MAX_STATEMENTS, statementItem } from './schema';
export { type StatementRow, statementRowsOf } from './statement';
export { insertStatements } from './store';
