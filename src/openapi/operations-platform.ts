/** §11: what systems of the platform read. */
import * as z from 'zod';
import { wholeAccount } from './answers-reading';
import { invalidQuery, NOT_FOUND, type Operation, ok, one, PLATFORM_READ } from './operation';
import { ACCOUNT_EXAMPLE } from './operations-account-reading';

const LAST = z.object({
  cursor: z.string().meta({ description: 'Where to go on, now or at any later time.' }),
  has_more: z.boolean(),
});

export const PLATFORM_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/platform/v1/accounts/',
    id: 'listPlatformAccounts',
    tag: 'Platform',
    section: '11',
    summary: 'Copy accounts',
    description:
      'NDJSON: a line for each account, whole and with nothing masked, in the order in which they were committed; then a line with the cursor. Without that last line the answer was cut: ask again from the cursor before. A page may hold fewer accounts than `limit`, or none, and have more all the same.',
    access: 'platform',
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
        mediaType: 'application/x-ndjson',
        schemas: [z.union([wholeAccount, LAST])],
        examples: one('The last line', { cursor: '1795860000000.500', has_more: true }),
      },
      400: invalidQuery('limit'),
      ...PLATFORM_READ,
    },
  },
  {
    method: 'get',
    path: '/platform/v1/accounts/{number}/',
    id: 'getPlatformAccount',
    tag: 'Platform',
    section: '11',
    summary: 'Read an account',
    description: 'An imported account whole, with nothing masked.',
    access: 'platform',
    answers: { 200: ok('The account.', wholeAccount, ACCOUNT_EXAMPLE), 404: NOT_FOUND('No such account.'), ...PLATFORM_READ },
  },
];
