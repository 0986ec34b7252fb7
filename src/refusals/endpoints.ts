import { endpoint } from '../http/endpoint';
import { refusalsQuery } from './schema';

export const getRefusals = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/refusals/',
  access: 'reading',
  query: refusalsQuery,
  answers: { 200: ['refusals'], 400: ['validationError'], 404: ['problem'] },
});
