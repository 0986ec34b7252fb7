import { endpoint } from '../http/endpoint';

export const getOpenapi = endpoint({ method: 'GET', path: '/openapi.json', access: 'open', answers: { 200: ['openapiDocument'] } });

export const getDocs = endpoint({ method: 'GET', path: '/docs/', access: 'open', produces: 'text/html', answers: { 200: ['page'] } });

export const getDocsPage = endpoint({
  method: 'GET',
  path: '/docs/:page{[a-z0-9./-]+}',
  access: 'open',
  produces: 'text/html',
  answers: { 200: ['page'], 404: ['problem'] },
});

export const getTools = endpoint({ method: 'GET', path: '/tools/', access: 'open', produces: 'text/html', answers: { 200: ['page'] } });

export const getTool = endpoint({
  method: 'GET',
  path: '/tools/:file',
  access: 'open',
  produces: '*/*',
  answers: { 200: ['file'], 404: ['problem'] },
});

export const getFavicon = endpoint({
  method: 'GET',
  path: '/favicon.ico',
  access: 'open',
  produces: 'image/svg+xml',
  answers: { 200: ['page'] },
});
