/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { TOTALS, type Total, totalsOf } from './payload/rules-totals';
export type { Account } from './schema';
export { allErrors, judgeAccount, readAccount } from './validation/judge';
export { accountWarnings } from './validation/warnings';
