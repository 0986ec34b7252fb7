import { endpoint } from '../http/endpoint';
import { listQuery } from './schema';

export const getImportProcess = endpoint({
  section: '4.7',
  method: 'GET',
  path: '/v2/data-import/accounts/:import_supplier_code/:external_identifier/',
  access: 'importer',
  answers: { 200: ['importProcess'], 404: ['problem'] },
});

export const cancelImport = endpoint({
  method: 'DELETE',
  path: '/v2/data-import/accounts/:import_supplier_code/:external_identifier/',
  access: 'writer',
  answers: { 204: [], 404: ['problem'], 409: ['problem'] },
});

export const getTransferStatus = endpoint({
  section: '4.8',
  method: 'GET',
  path: '/v1/data-import/account-transfer-status/:import_supplier_code/:external_account_number/',
  access: 'importer',
  answers: { 200: ['transferStatus'], 404: ['problem'] },
});

const LIST = {
  method: 'GET',
  access: 'importer',
  query: listQuery,
  answers: { 200: ['summaries'], 400: ['validationError'], 404: ['problem'] },
} as const;

export const listAccountImports = endpoint({
  ...LIST,
  section: '4.9',
  path: '/v1/data-import/all-account-import-processes/:import_supplier_code/',
});

export const listPendingImports = endpoint({
  ...LIST,
  section: '4.10',
  path: '/v1/data-import/pending-account-import-processes/:import_supplier_code/',
});

export const listImportedAccounts = endpoint({
  ...LIST,
  section: '4.11',
  path: '/v1/data-import/imported-account-import-processes/:import_supplier_code/',
});
