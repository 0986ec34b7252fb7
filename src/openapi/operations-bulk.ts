/** Bulk: ours, beyond §4.1 to §4.3, §4.5 and §4.6. */
import * as z from 'zod';
import { accountBody } from '../accounts/schema';
import { notesBody } from '../notes/schema';
import { statementsBody } from '../statements/schema';
import { transactionsBody } from '../transactions/schema';
import * as answer from './answers';
import * as bulk from './answers-bulk';
import { booleanQuery, type Operation, one, WRITE } from './operation';

export const wrapped = z.object({ payload: accountBody, task_params: accountBody.shape.task_params });

const NDJSON = 'application/x-ndjson';
const BROKEN = { detail: 'The body ended in the middle, or is not what its Content-Encoding says.', code: 'parse_error' };
const OTHER_MEDIA_TYPES = ['application/ndjson', 'application/jsonl'];
const invalidParameter = (attr: string) => ({
  detail: 'The data is not valid.',
  code: 'validation_error',
  errors: [{ detail: 'This is not a valid value of the parameter.', code: 'invalid', attr }],
});

export const BULK: Operation = {
  method: 'post',
  path: '/v2/data-import/accounts/bulk/',
  id: 'bulkAccounts',
  tag: 'Accounts',
  summary: 'Create or validate many accounts',
  description:
    'Ours, beyond the specification: NDJSON, one account a line, each checked as a create checks it; up to 10,000 lines that are not blank, 64 MiB and 1 MiB a line. The body may be gzip (`Content-Encoding: gzip`); the limits hold for what comes out of it. Answers are streamed, one line each, in order; a bad line never stops the rest. `warnings` lists fields that are not documented. The last line says that the answer is whole: without it, send again what has no answer, and nothing is doubled. It is missing, too, after line 10,001, which is INVALID with `max_length`: the lines behind that one are not looked at.',
  access: 'importer',
  query: [
    {
      name: 'mode',
      description: '`validate` stores nothing. Default `create`.',
      schema: z.enum(['create', 'validate']),
      example: 'create',
    },
  ],
  body: { mediaType: NDJSON, otherMediaTypes: OTHER_MEDIA_TYPES, schemas: [accountBody, wrapped] },
  answers: {
    200: {
      description: 'One line for each, and one that says it is whole.',
      mediaType: NDJSON,
      schemas: [bulk.bulkLine, bulk.bulkDone],
    },
    400: {
      description: 'A query parameter is not valid, or the body ended in the middle or is broken gzip before anything was answered.',
      schemas: [answer.validationError, answer.problem],
      examples: {
        mode: { summary: 'An unknown mode', value: invalidParameter('mode') },
        broken: { summary: 'Broken gzip', value: BROKEN },
      },
    },
    ...WRITE,
  },
};

const manyOf = (path: string, id: string, what: string, sent: z.ZodType, added: z.ZodType, query: Operation['query'] = []): Operation => ({
  method: 'post',
  path,
  id,
  tag: 'Account data',
  summary: `Add ${what} to many accounts`,
  description: `Ours, beyond the specification: NDJSON, one request a line as for adding ${what} to one account; up to 10,000 lines that are not blank, 64 MiB and 1 MiB a line, gzip or not. Answers are streamed, one line each, in order, with the status and body that the request has alone; lines are answered as if they had come one after the other, and a bad line never stops the rest. The last line says that the answer is whole: without it, send again what has no answer, and nothing is doubled. It is missing, too, after line 10,001, which is 400 with \`max_length\`: the lines behind that one are not looked at.`,
  access: 'importer',
  ...(query.length > 0 ? { query } : {}),
  body: { mediaType: NDJSON, otherMediaTypes: OTHER_MEDIA_TYPES, schemas: [sent] },
  answers: {
    200: {
      description: 'One line for each, and one that says it is whole.',
      mediaType: NDJSON,
      schemas: [bulk.addedLine(added), bulk.bulkDone],
    },
    400: {
      description: 'A query parameter is not valid, or the body ended in the middle or is broken gzip before anything was answered.',
      schemas: [answer.validationError, answer.problem],
      examples: {
        ...(query.length > 0 ? { parameter: { summary: 'A parameter', value: invalidParameter('check_previously_added') } } : {}),
        ...one('Broken gzip', BROKEN),
      },
    },
    ...WRITE,
  },
});

export const BULK_ADDITIONS: readonly Operation[] = [
  manyOf('/v1/data-import/notes/bulk/', 'bulkNotes', 'notes', notesBody, answer.noteResults),
  manyOf('/v1/data-import/transactions/bulk/', 'bulkTransactions', 'transactions', transactionsBody, answer.transactionResults, [
    {
      name: 'check_previously_added',
      description: 'Only true: a known `transaction_id` is always skipped, so that the lines can be sent again.',
      schema: booleanQuery,
      example: true,
    },
    {
      name: 'force_add_to_current_statement',
      description: 'As for one request, for all lines. Default true.',
      schema: booleanQuery,
      example: true,
    },
  ]),
  manyOf('/v1/data-import/historical-statements/bulk/', 'bulkStatements', 'statements', statementsBody, statementsBody),
];
