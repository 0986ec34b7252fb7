import { endpoint } from '../../http/endpoint';
import { operatorPage } from '../../shared/query';

export const getQueue = endpoint({
  method: 'GET',
  path: '/operator/v1/queue/',
  access: 'reading',
  answers: { 200: ['queue'] },
});

export const listDeadLetters = endpoint({
  method: 'GET',
  path: '/operator/v1/dead-letters/',
  access: 'reading',
  query: operatorPage,
  answers: { 200: ['deadLetters'], 400: ['validationError'] },
});

export const redriveDeadLetter = endpoint({
  method: 'POST',
  path: '/operator/v1/dead-letters/:id/redrive/',
  access: 'operating',
  answers: { 200: ['retried'], 404: ['problem'], 409: ['problem'] },
});

export const dismissDeadLetter = endpoint({
  method: 'POST',
  path: '/operator/v1/dead-letters/:id/dismiss/',
  access: 'operating',
  answers: { 200: ['deadLetter'], 404: ['problem'], 409: ['problem'] },
});
