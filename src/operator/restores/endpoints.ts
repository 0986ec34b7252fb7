import { endpoint, jsonBody } from '../../http/endpoint';
import { restoreBody } from './schema';

export const finishRestore = endpoint({
  method: 'POST',
  path: '/operator/v1/restores/',
  access: 'administering',
  body: jsonBody(restoreBody),
  answers: { 200: ['restore'], 400: ['validationError', 'problem'], 409: ['problem'] },
});
