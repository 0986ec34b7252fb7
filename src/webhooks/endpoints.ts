import { endpoint, jsonBody } from '../http/endpoint';
import { replayBody, webhookBody, webhookChange } from './schema';

export const createWebhook = endpoint({
  section: '13',
  method: 'POST',
  path: '/v2/data-import/webhooks/',
  access: 'writer',
  body: jsonBody(webhookBody),
  answers: { 201: ['newWebhook'], 400: ['validationError', 'problem'] },
});

export const listWebhooks = endpoint({
  section: '13',
  method: 'GET',
  path: '/v2/data-import/webhooks/',
  access: 'importer',
  answers: { 200: ['webhooks'] },
});

export const changeWebhook = endpoint({
  section: '13',
  method: 'PATCH',
  path: '/v2/data-import/webhooks/:webhook_id/',
  access: 'writer',
  body: jsonBody(webhookChange),
  answers: { 200: ['webhook'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const removeWebhook = endpoint({
  section: '13',
  method: 'DELETE',
  path: '/v2/data-import/webhooks/:webhook_id/',
  access: 'writer',
  answers: { 204: [], 404: ['problem'] },
});

export const tryWebhook = endpoint({
  section: '13',
  method: 'POST',
  path: '/v2/data-import/webhooks/:webhook_id/test/',
  access: 'writer',
  answers: { 200: ['tried'], 404: ['problem'] },
});

export const rotateWebhookSecret = endpoint({
  section: '13',
  method: 'POST',
  path: '/v2/data-import/webhooks/:webhook_id/rotate-secret/',
  access: 'writer',
  answers: { 200: ['newWebhook'], 404: ['problem'] },
});

export const replayWebhook = endpoint({
  section: '13',
  method: 'POST',
  path: '/v2/data-import/webhooks/:webhook_id/replay/',
  access: 'writer',
  body: jsonBody(replayBody),
  answers: { 200: ['webhook'], 400: ['validationError', 'problem'], 404: ['problem'], 410: ['cursorExpired'] },
});
