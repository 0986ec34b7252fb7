import { endpoint, jsonBody, linesBody, NDJSON } from '../http/endpoint';
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

export const bulkAccounts = endpoint({
  method: 'POST',
  path: '/v2/data-import/accounts/bulk/',
  access: 'importer',
  query: bulkQuery,
  body: linesBody(accountBody),
  produces: NDJSON,
  answers: { 200: ['bulkLine', 'bulkDone'], 400: ['validationError', 'problem'] },
});
