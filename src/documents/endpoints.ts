import { endpoint, jsonBody } from '../http/endpoint';
import { documentsBody, documentsQuery } from './schema';

export const checkDocuments = endpoint({
  section: '4.16',
  method: 'POST',
  path: '/v2/data-import/documents/check/',
  access: 'importer',
  body: jsonBody(documentsBody),
  answers: { 200: ['documentsChecked'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const uploadDocument = endpoint({
  section: '4.17',
  method: 'PUT',
  path: '/v2/data-import/documents/:import_supplier_code/:document_path{[\\s\\S]+}',
  access: 'writer',
  body: { kind: 'file', mediaTypes: ['application/pdf', '*/*'] },
  answers: {
    200: ['document'],
    201: ['document'],
    400: ['validationError', 'problem'],
    404: ['problem'],
    409: ['problem'],
    411: ['problem'],
    413: ['problem'],
    415: ['problem'],
  },
});

export const listDocuments = endpoint({
  section: '4.18',
  method: 'GET',
  path: '/v2/data-import/documents/:import_supplier_code/',
  access: 'importer',
  query: documentsQuery,
  answers: { 200: ['documents'], 400: ['validationError'], 404: ['problem'] },
});
