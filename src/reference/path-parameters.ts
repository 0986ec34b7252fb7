/** Words for parameters in paths that more than one room has, by name. */
const SUPPLIER_CODE = { description: 'Code of the import supplier, percent-encoded.', example: 'DEMO' };
const ACCOUNT_NUMBER = { description: "The importer's own account identifier, percent-encoded.", example: 'ACC-1' };

export const PATH_PARAMETERS = {
  import_supplier_code: SUPPLIER_CODE,
  code: SUPPLIER_CODE,
  external_identifier: ACCOUNT_NUMBER,
  external_account_number: ACCOUNT_NUMBER,
  external: ACCOUNT_NUMBER,
  number: { description: 'The platform account number, or the platform identifier in decimal.', example: 'A-60BF1893' },
};
