export { statementErrors } from './rules';
export { statementItem } from './schema';
export { statementRowsOf } from './statement';
export { insertStatements } from './store';
