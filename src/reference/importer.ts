/** Words that the endpoints of importers share. */
import { NOT_FOUND } from './words';

/** What names an account in the examples. */
export const PAIR = { import_supplier: 'DEMO', external_account_number: 'ACC-1' };
export const NOT_IMPORTED = NOT_FOUND('The account is not imported, or the supplier is not known. A staged account does not count.');
export const CURSOR = { description: 'Where to go on: taken from the `Link` header of the page before.' };
