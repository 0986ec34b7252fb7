/** Words and examples for the queue and dead letters. */

import { describe, type Operation } from '../../reference/operation';
import { AT, CONFLICT, MESSAGE_ID, PAGE, UNKNOWN } from '../../reference/operator';
import { invalidQuery, ok } from '../../reference/words';
import { operatorPage } from '../../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';

const LETTER = {
  message_id: MESSAGE_ID,
  queue: 'account-imports',
  supplier: 'NORTH',
  processes: 20,
  failed_at: AT,
  redriven_at: null,
  dismissed_at: null,
};

const PATH = { id: { description: 'Id of the message, as the list shows it.', example: MESSAGE_ID } };

export const QUEUE: readonly Operation[] = [
  describe(declared.getQueue, answers, {
    tag: 'Operator',
    id: 'getQueue',
    summary: 'Get the health of the queue',
    description:
      'The oldest PENDING import process, expired leases, open dead letters, the age of the last sweep, and how full the database is.',
    answers: {
      200: ok('Health.', {
        oldest_pending: null,
        expired_leases: 0,
        dead_letters: 0,
        last_sweep_at: AT,
        last_sweep_seconds: 12,
        takes_new_accounts: true,
        last_id: 120_000,
        database: { size_bytes: 4_200_000_000, limit_bytes: 10_000_000_000, percent: 42, level: 'ok' },
      }),
    },
  }),
  describe(declared.listDeadLetters, answers, {
    tag: 'Operator',
    id: 'listDeadLetters',
    summary: 'List dead letters',
    description: 'Newest first.',
    query: PAGE,
    answers: {
      200: ok('Dead letters.', [LETTER], ['Link']),
      400: invalidQuery(operatorPage, 'limit'),
    },
  }),
  describe(declared.redriveDeadLetter, answers, {
    tag: 'Operator',
    id: 'redriveDeadLetter',
    summary: 'Redrive a dead letter',
    description:
      'Retries the import processes of a message that had failed, once, if they are still ERRORED and the supplier is not Complete. What has no window or no payload any more is left out and counted.',
    path: PATH,
    answers: { 200: ok('How many.', { retried: 20 }), 404: UNKNOWN, 409: CONFLICT },
  }),
  describe(declared.dismissDeadLetter, answers, {
    tag: 'Operator',
    id: 'dismissDeadLetter',
    summary: 'Dismiss a dead letter',
    description: 'Puts away what cannot be read or is not to be tried again. The import processes it named stay as they are.',
    path: PATH,
    answers: { 200: ok('The letter.', { ...LETTER, dismissed_at: AT }), 404: UNKNOWN, 409: CONFLICT },
  }),
];
