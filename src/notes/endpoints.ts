import { endpoint, jsonBody, linesBody, NDJSON } from '../http/endpoint';
import { notesBody } from './schema';

export const createNotes = endpoint({
  section: '4.1',
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  access: 'writer',
  body: jsonBody(notesBody),
  answers: { 201: ['noteResults'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const bulkNotes = endpoint({
  method: 'POST',
  path: '/v1/data-import/notes/bulk/',
  access: 'writer',
  body: linesBody(notesBody),
  produces: NDJSON,
  answers: { 200: ['noteLine', 'bulkDone'], 400: ['validationError', 'problem'] },
});
