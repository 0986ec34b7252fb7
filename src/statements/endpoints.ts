import { endpoint, jsonBody, linesBody, NDJSON } from '../http/endpoint';
import { statementsBody } from './schema';

export const createStatements = endpoint({
  section: '4.3',
  method: 'POST',
  path: '/v1/data-import/historical-statements/create/',
  access: 'writer',
  body: jsonBody(statementsBody),
  answers: { 201: ['validatedStatements'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const bulkStatements = endpoint({
  method: 'POST',
  path: '/v1/data-import/historical-statements/bulk/',
  access: 'writer',
  body: linesBody(statementsBody),
  produces: NDJSON,
  answers: { 200: ['statementLine', 'bulkDone'], 400: ['validationError', 'problem'] },
});
