import { endpoint, jsonBody } from '../http/endpoint';
import { accountBody, bulkQuery, validateQuery } from './schema';

export const validateAccount = endpoint({
  section: '4.5',
  method: 'POST',
  path: '/v2/data-import/accounts/validate/',
  access: 'importer',
  query: validateQuery,
  body: jsonBody(accountBody),
  answers: { 200: ['validated'], 400: ['accountFailedValidation', 'problem'] },
});

export const createAccount = endpoint({
  section: '4.6',
  method: 'POST',
  path: '/v2/data-import/accounts/',
  access: 'writer',
  body: jsonBody(accountBody),
  answers: { 201: ['empty'], 400: ['importProcessError', 'alreadyImported', 'problem'] },
});

export const NDJSON = 'application/x-ndjson';

export const bulkAccounts = endpoint({
  method: 'POST',
  path: '/v2/data-import/accounts/bulk/',
  access: 'importer',
  query: bulkQuery,
  // There is no registered type for JSON lines; these are in use.
  body: { kind: 'lines', schema: accountBody, mediaTypes: [NDJSON, 'application/ndjson', 'application/jsonl'] },
  produces: NDJSON,
  answers: { 200: ['bulkLine', 'bulkDone'], 400: ['validationError', 'problem'] },
});
