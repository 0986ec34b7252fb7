import { endpoint } from '../http/endpoint';
import { accountsQuery } from './schema';

export const listPlatformAccounts = endpoint({
  section: '11',
  method: 'GET',
  path: '/platform/v1/accounts/',
  access: 'platform',
  query: accountsQuery,
  produces: 'application/x-ndjson',
  answers: { 200: ['accountOrLast'], 400: ['validationError'] },
});

export const getPlatformAccount = endpoint({
  section: '11',
  method: 'GET',
  path: '/platform/v1/accounts/:number/',
  access: 'platform',
  answers: { 200: ['wholeAccount'], 404: ['problem'] },
});
