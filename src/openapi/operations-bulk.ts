/** Bulk: ours, beyond §4.5 and §4.6. */
import * as z from 'zod';
import { accountBody } from '../accounts/schema';
import * as answer from './answers';
import { type Operation, WRITE } from './operation';

export const wrapped = z.object({ payload: accountBody, task_params: accountBody.shape.task_params });

const NDJSON = 'application/x-ndjson';
const BROKEN = { detail: 'The body ended in the middle, or is not what its Content-Encoding says.', code: 'parse_error' };
const INVALID_MODE = {
  detail: 'The data is not valid.',
  code: 'validation_error',
  errors: [{ detail: 'This is not a valid value of the parameter.', code: 'invalid', attr: 'mode' }],
};

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
    { name: 'run', description: 'The run of each line that names none itself.', schema: z.string().min(1).max(64), example: 'wave-1' },
  ],
  body: { mediaType: NDJSON, otherMediaTypes: ['application/ndjson', 'application/jsonl'], schemas: [accountBody, wrapped] },
  answers: {
    200: {
      description: 'One line for each, and one that says it is whole.',
      mediaType: NDJSON,
      schemas: [answer.bulkLine, answer.bulkDone],
    },
    400: {
      description: 'A query parameter is not valid, or the body ended in the middle or is broken gzip before anything was answered.',
      schemas: [answer.validationError, answer.problem],
      examples: { mode: { summary: 'An unknown mode', value: INVALID_MODE }, broken: { summary: 'Broken gzip', value: BROKEN } },
    },
    ...WRITE,
  },
};
