import { endpoint, jsonBody } from '../../http/endpoint';
import { operatorPage } from '../../shared/query';
import { operatorTokenBody } from './schema';

export const createOperatorToken = endpoint({
  method: 'POST',
  path: '/operator/v1/operator-tokens/',
  access: 'administering',
  body: jsonBody(operatorTokenBody),
  answers: { 201: ['newOperatorToken'], 400: ['validationError', 'problem'] },
});

export const listOperatorTokens = endpoint({
  method: 'GET',
  path: '/operator/v1/operator-tokens/',
  access: 'administering',
  query: operatorPage,
  answers: { 200: ['operatorTokens'], 400: ['validationError'] },
});

export const revokeOperatorToken = endpoint({
  method: 'DELETE',
  path: '/operator/v1/operator-tokens/:id/',
  access: 'administering',
  answers: { 204: [], 404: ['problem'] },
});
