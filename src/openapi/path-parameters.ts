/** What the parameters in paths are. */
import { API_KEY_ID, MESSAGE_ID, ORGANISATION_ID } from './operator-helpers';

const SUPPLIER_CODE = { description: 'Code of the import supplier, percent-encoded.', example: 'DEMO' };
const PLATFORM_NUMBER = { description: 'The platform account number, or the platform identifier in decimal.', example: 'A-60BF1893' };
const ACCOUNT_NUMBER = { description: "The importer's own account identifier, percent-encoded.", example: 'ACC-1' };

/** Words for path parameters, by the name before the parameter or by its own. */
export const PATH_PARAMETERS: Readonly<Record<string, { description: string; example: string }>> = {
  import_supplier_code: SUPPLIER_CODE,
  code: SUPPLIER_CODE,
  external_identifier: ACCOUNT_NUMBER,
  external_account_number: ACCOUNT_NUMBER,
  external: ACCOUNT_NUMBER,
  document_path: {
    description: 'Path below the documents root of the supplier, percent-encoded; its slashes may stand as they are.',
    example: 'letters/welcome.pdf',
  },
  number: PLATFORM_NUMBER,
  page: { description: 'A page, or a file beside the pages.', example: 'accounts' },
  type: { description: 'CARD or DIRECT_DEBIT.', example: 'CARD' },
  organisations: { description: 'Id of the organisation.', example: ORGANISATION_ID },
  'api-keys': { description: 'Id of the API key; not the key itself.', example: API_KEY_ID },
  tools: { description: 'Name of the file.', example: 'data-import.mjs' },
  'dead-letters': { description: 'Id of the message, as the list tells it.', example: MESSAGE_ID },
};
