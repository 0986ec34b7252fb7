/** Words and examples for §11. */
import { ACCOUNT_EXAMPLE } from '../account-reading/reference';
import { describe, type Operation } from '../reference/operation';
import { invalidQuery, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { accountsQuery } from './schema';

export const PLATFORM: readonly Operation[] = [
  describe(declared.listPlatformAccounts, answers, {
    id: 'listPlatformAccounts',
    tag: 'Platform',
    summary: 'Copy accounts',
    description:
      'NDJSON: a line for each account, whole and with nothing masked, in the order in which they were committed; then a line with the cursor. Without that last line the answer was cut: ask again from the cursor before. A page may hold fewer accounts than `limit`, or none, and have more all the same.',
    query: {
      import_supplier: { description: 'Only accounts of this supplier; of all without.', example: 'NORTH' },
      limit: { description: 'At most so many accounts; 100 by default.', example: 100 },
      cursor: { description: 'Taken from the last line of the page before; from the beginning without.' },
    },
    answers: {
      200: {
        description: 'Accounts, then the cursor.',
        examples: one('The last line', { cursor: '1795860000000.500', has_more: true }),
      },
      400: invalidQuery(accountsQuery, 'limit'),
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
