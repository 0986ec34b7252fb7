import { endpoint } from '../http/endpoint';
import { auditQuery } from './schema';

export const listAudit = endpoint({
  method: 'GET',
  path: '/operator/v1/audit/',
  access: 'reading',
  query: auditQuery,
  answers: { 200: ['audit'], 400: ['validationError'] },
});
