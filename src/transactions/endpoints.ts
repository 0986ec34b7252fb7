import { endpoint, jsonBody, linesBody, NDJSON } from '../http/endpoint';
import { addParameters, bulkQuery, transactionsBody } from './schema';

export const createTransactions = endpoint({
  section: '4.2',
  method: 'POST',
  path: '/v1/data-import/transactions/create/',
  access: 'writer',
  queryWithBody: addParameters,
  body: jsonBody(transactionsBody),
  answers: { 201: ['transactionResults'], 400: ['transactionImportError', 'validationError', 'problem'], 404: ['problem'] },
});

export const bulkTransactions = endpoint({
  method: 'POST',
  path: '/v1/data-import/transactions/bulk/',
  access: 'writer',
  query: bulkQuery,
  body: linesBody(transactionsBody),
  produces: NDJSON,
  answers: { 200: ['transactionLine', 'bulkDone'], 400: ['validationError', 'problem'] },
});
