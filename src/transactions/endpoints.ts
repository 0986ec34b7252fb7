import { endpoint, jsonBody } from '../http/endpoint';
import { addParameters, transactionsBody } from './schema';

export const createTransactions = endpoint({
  section: '4.2',
  method: 'POST',
  path: '/v1/data-import/transactions/create/',
  access: 'writer',
  queryWithBody: addParameters,
  body: jsonBody(transactionsBody),
  answers: { 201: ['transactionResults'], 400: ['transactionImportError', 'validationError', 'problem'], 404: ['problem'] },
});
