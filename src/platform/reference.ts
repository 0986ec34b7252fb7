/** Words and examples for §11. */
import { ACCOUNT_EXAMPLE } from '../account-reading/reference';
import { accountsQuery } from './schema';
import { describe, invalidQuery, NOT_FOUND, ok, one, type Operation } from '../openapi/operation';
import * as answers from './answers';
import * as declared from './endpoints';

export const PLATFORM: readonly Operation[] = [
  describe(declared.listPlatformAccounts, answers, {
    id: 'listPlatformAccounts',
    tag: 'Platform',
    summary: 'Copy accounts',
    description:
      'NDJSON: a line for each account, whole and with nothing masked, in the order in which they were committed; then a line with the cursor. Without that last line the answer was cut: ask again from the cursor before. A page may hold fewer accounts than `limit`, or none, and have more all the same.',
    query: [
      {
        name: 'import_supplier',
        description: 'Only accounts of this supplier; of all without.',
        schema: z.string().min(1),
        example: 'NORTH',
      },
      { name: 'limit', description: 'At most so many accounts; 100 unless told.', schema: z.int().min(1).max(1_000), example: 100 },
      {
        name: 'cursor',
        description: 'Taken from the last line of the page before; from the beginning without.',
        schema: z.string().meta({ pattern: '^[0-9]{1,15}[.][0-9]{1,6}$' }),
      },
    ],
    answers: {
      200: {
        description: 'Accounts, then the cursor.',
        schemas: [z.union([wholeAccount, LAST])],
        examples: one('The last line', { cursor: '1795860000000.500', has_more: true }),
      },
      400: invalidQuery('limit'),
    },
  }),
  describe(declared.getPlatformAccount, answers, {
    id: 'getPlatformAccount',
    tag: 'Platform',
    summary: 'Read an account',
    description: 'An imported account whole, with nothing masked.',
    answers: { 200: ok('The account.', ACCOUNT_EXAMPLE), 404: NOT_FOUND('No such account.') },
  }),
];
