import { endpoint } from '../http/endpoint';
import { eventsQuery } from './schema';

export const listEvents = endpoint({
  section: '12',
  method: 'GET',
  path: '/v2/data-import/events/:import_supplier_code/',
  access: 'importer',
  query: eventsQuery,
  answers: { 200: ['eventPage'], 400: ['validationError'], 404: ['problem'], 410: ['cursorExpired'] },
});

export const listPlatformEvents = endpoint({
  section: '12',
  method: 'GET',
  path: '/platform/v1/events/',
  access: 'platform',
  query: eventsQuery,
  answers: { 200: ['eventPage'], 400: ['validationError'], 410: ['cursorExpired'] },
});
