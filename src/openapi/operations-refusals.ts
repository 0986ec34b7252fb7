/** The operator interface: what creates were refused for. */
import * as z from 'zod';
import * as shown from './answers-operator';
import { invalidQuery, type Operation, ok } from './operation';
import { AT, get, UNKNOWN } from './operator-helpers';

export const REFUSAL_OPERATIONS: readonly Operation[] = [
  get(
    {
      id: 'getRefusals',
      path: 'suppliers/{code}/refusals/',
      summary: 'Count refused creates',
      description:
        'Creates that were refused, singly or in bulk, so that no import process tells of them: by code and place, most first, with the newest examples. No value that was sent is among it. Kept for 30 days.',
      query: [
        {
          name: 'minutes',
          description: 'How far back, 1 to 43,200; 1,440 unless told.',
          schema: z.int().min(1).max(43_200),
          example: 1_440,
        },
      ],
    },
    {
      200: ok('Counts.', shown.refusals, {
        refused: 1,
        refusals: [
          {
            code: 'invalid_email',
            attr: 'customers.*.email',
            accounts: 1,
            examples: [{ external_account_number: 'ACC-1', attr: 'customers.0.email', refused_at: AT }],
          },
        ],
      }),
      400: invalidQuery('minutes'),
      404: UNKNOWN,
    },
  ),
];
