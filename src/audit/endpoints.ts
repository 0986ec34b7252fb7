import { endpoint } from '../http/endpoint';
import { operatorPage } from '../shared/query';

export const listAudit = endpoint({
  method: 'GET',
  path: '/operator/v1/audit/',
  access: 'operator',
  query: operatorPage,
  answers: { 200: ['audit'], 400: ['validationError'] },
});
