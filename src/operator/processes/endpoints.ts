import { endpoint, jsonBody } from '../../http/endpoint';
import { accountsQuery, processesQuery, ratesQuery, retryBody } from './schema';

export const getRates = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/rates/',
  access: 'reading',
  query: ratesQuery,
  answers: { 200: ['rates'], 400: ['validationError'], 404: ['problem'] },
});

export const getErrors = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/errors/',
  access: 'reading',
  answers: { 200: ['errorCounts'], 404: ['problem'] },
});

export const retryErrored = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/retry-errored/',
  access: 'operating',
  body: jsonBody(retryBody),
  answers: { 200: ['retriedAll'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});

export const listProcesses = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/import-processes/',
  access: 'reading',
  query: processesQuery,
  answers: { 200: ['processes'], 400: ['validationError'], 404: ['problem'] },
});

export const getProcess = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/import-processes/:external/',
  access: 'reading',
  answers: { 200: ['process'], 404: ['problem'] },
});

export const cancelProcess = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/import-processes/:external/cancel/',
  access: 'operating',
  answers: { 200: ['process'], 404: ['problem'], 409: ['problem'] },
});

export const retryProcess = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/import-processes/:external/retry/',
  access: 'operating',
  answers: { 200: ['process'], 404: ['problem'], 409: ['problem'] },
});

export const revealPayload = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/import-processes/:external/reveal/',
  access: 'operating',
  answers: { 200: ['revealed'], 404: ['problem'] },
});

export const findAccounts = endpoint({
  method: 'GET',
  path: '/operator/v1/accounts/',
  access: 'reading',
  query: accountsQuery,
  answers: { 200: ['foundAccounts'], 400: ['validationError'] },
});
