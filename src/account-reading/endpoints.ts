import { endpoint, jsonBody } from '../http/endpoint';
import { documentQuery, endBody } from './schema';

export const getAccountOfPair = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/accounts/:external/',
  access: 'reading',
  answers: { 200: ['supportAccount'], 404: ['problem'] },
});

export const getAccount = endpoint({
  method: 'GET',
  path: '/operator/v1/accounts/:number/',
  access: 'reading',
  answers: { 200: ['supportAccount'], 404: ['problem'] },
});

export const revealAccount = endpoint({
  method: 'POST',
  path: '/operator/v1/accounts/:number/reveal/',
  access: 'operating',
  answers: { 200: ['supportAccount'], 404: ['problem'] },
});

export const openDocument = endpoint({
  method: 'GET',
  path: '/operator/v1/accounts/:number/documents/',
  access: 'operating',
  query: documentQuery,
  produces: '*/*',
  answers: { 200: ['file'], 400: ['validationError'], 404: ['problem'] },
});

export const endPaymentInstruction = endpoint({
  method: 'POST',
  path: '/operator/v1/accounts/:number/payment-instructions/:type/end/',
  access: 'operating',
  body: jsonBody(endBody),
  answers: { 200: ['supportAccount'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});
