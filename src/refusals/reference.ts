/** Words and examples for refused creates. */
import { describe, type Operation } from '../reference/operation';
import { AT, UNKNOWN } from '../reference/operator';
import { invalidQuery, ok } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { refusalsQuery } from './schema';

const COUNTS = {
  refused: 1,
  refusals: [
    {
      code: 'invalid_email',
      attr: 'customers.*.email',
      accounts: 1,
      examples: [{ external_account_number: 'ACC-1', attr: 'customers.0.email', refused_at: AT }],
    },
  ],
};

export const REFUSALS: readonly Operation[] = [
  describe(declared.getRefusals, answers, {
    tag: 'Operator',
    id: 'getRefusals',
    summary: 'Count refused creates',
    description:
      'Creates that were refused, singly or in bulk, so that no import process shows them: by code and place, most first, with the newest examples. No value that was sent is among it. Stored for 30 days.',
    query: { minutes: { description: 'How far back, 1 to 43,200; 1,440 by default.', example: 1_440 } },
    answers: { 200: ok('Counts.', COUNTS), 400: invalidQuery(refusalsQuery, 'minutes'), 404: UNKNOWN },
  }),
];
