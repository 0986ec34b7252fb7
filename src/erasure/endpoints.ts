import { endpoint, jsonBody } from '../http/endpoint';
import { eraseBody } from './schema';

export const eraseAccount = endpoint({
  section: '18',
  method: 'POST',
  path: '/operator/v1/accounts/:number/erase/',
  access: 'administering',
  body: jsonBody(eraseBody),
  answers: { 200: ['erasure'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});

export const eraseProcess = endpoint({
  section: '18',
  method: 'POST',
  path: '/operator/v1/suppliers/:code/import-processes/:external/erase/',
  access: 'administering',
  body: jsonBody(eraseBody),
  answers: { 200: ['erasure'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});
