/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { TOTALS, type Total, totalsOf } from './payload/rules-totals';
export type { Account } from './schema';
export { allErrors, checkAccount, readAccount } from './validation/check';
export { accountWarnings } from './validation/warnings';
