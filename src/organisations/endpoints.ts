import { endpoint, jsonBody } from '../http/endpoint';
import { operatorPage } from '../shared/query';
import { apiKeyBody, organisationBody } from './schema';

export const createOrganisation = endpoint({
  method: 'POST',
  path: '/operator/v1/organisations/',
  access: 'administering',
  body: jsonBody(organisationBody),
  answers: { 201: ['organisation'], 400: ['validationError', 'problem'] },
});

export const listOrganisations = endpoint({
  method: 'GET',
  path: '/operator/v1/organisations/',
  access: 'reading',
  query: operatorPage,
  answers: { 200: ['organisations'], 400: ['validationError'] },
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/operator/v1/organisations/:id/api-keys/',
  access: 'administering',
  body: jsonBody(apiKeyBody),
  answers: { 201: ['newApiKey'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/operator/v1/organisations/:id/api-keys/',
  access: 'reading',
  query: operatorPage,
  answers: { 200: ['apiKeys'], 400: ['validationError'], 404: ['problem'] },
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/operator/v1/api-keys/:id/',
  access: 'administering',
  answers: { 204: [], 404: ['problem'] },
});
