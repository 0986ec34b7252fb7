import { endpoint, jsonBody } from '../../http/endpoint';
import { operatorPage } from '../../shared/query';
import { alertAddressBody, alertsQuery } from './schema';

export const listAlerts = endpoint({
  method: 'GET',
  path: '/operator/v1/alerts/',
  access: 'reading',
  query: alertsQuery,
  answers: { 200: ['alerts'], 400: ['validationError'] },
});

export const createAlertAddress = endpoint({
  method: 'POST',
  path: '/operator/v1/alert-addresses/',
  access: 'administering',
  body: jsonBody(alertAddressBody),
  answers: { 201: ['newAlertAddress'], 400: ['validationError', 'problem'] },
});

export const listAlertAddresses = endpoint({
  method: 'GET',
  path: '/operator/v1/alert-addresses/',
  access: 'administering',
  query: operatorPage,
  answers: { 200: ['alertAddresses'], 400: ['validationError'] },
});

export const removeAlertAddress = endpoint({
  method: 'DELETE',
  path: '/operator/v1/alert-addresses/:id/',
  access: 'administering',
  answers: { 204: [], 404: ['problem'] },
});

export const testAlertAddress = endpoint({
  method: 'POST',
  path: '/operator/v1/alert-addresses/:id/test/',
  access: 'administering',
  answers: { 200: ['alertTest'], 404: ['problem'] },
});
