import { endpoint, jsonBody } from '../http/endpoint';
import { graphqlRequest } from './schema';

export const obtainToken = endpoint({
  section: '5',
  method: 'POST',
  path: '/v1/graphql/',
  access: 'open',
  body: jsonBody(graphqlRequest),
  answers: { 200: ['graphqlAnswer'], 400: ['validationError', 'problem'] },
});
