/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { statementErrors } from './rules';
export { statementItem } from './schema';
export { statementRowsOf } from './statement';
