/** Words and examples for §12. */
import { describe, type Operation } from '../reference/operation';
import { invalidQuery, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { eventsQuery } from './schema';

const CURSOR = 'Lk0rJb2xPpOo9zXhX8v0cQ';

const EVENT = {
  id: 'evt_5cXxW0F0o0Hq4yq9hQm1Zg',
  type: 'account_imports.finished',
  occurred_at: '2026-11-20T10:16:22.240Z',
  import_supplier: 'DEMO',
  data: {
    imports: [
      {
        external_account_number: 'ACC-1',
        status: 'PROCESSED',
        platform_account_number: 'A-60BF1893',
        platform_identifier: '1623136403',
      },
      { external_account_number: 'ACC-7', status: 'ERRORED', code: 'import_process_failed_validation' },
    ],
  },
};

const query = {
  limit: { description: 'At most so many; 100 by default.', example: 100 },
  cursor: { description: 'Taken from the answer before; from the oldest event without.' },
};

const EXPIRED = {
  description: 'Events behind this cursor have been deleted. Read again what you follow, and go on from the one in this answer.',
  examples: one('An old cursor', {
    detail: 'Events behind this cursor have been deleted. Go on from the one in this answer.',
    code: 'cursor_expired',
    cursor: CURSOR,
  }),
};

const PAGE = ok('Events, the oldest first.', { events: [EVENT], cursor: CURSOR, has_more: false });

export const EVENTS: readonly Operation[] = [
  describe(declared.listEvents, answers, {
    id: 'listEvents',
    tag: 'Events',
    summary: 'Follow what happened',
    description:
      'Ours, beyond the specification: imports that ended, what was added to accounts, changes of the supplier, in the order in which they were committed. An event is there if, and only if, its effect was stored; it never holds personal data. Read on from the `cursor` of the answer before, for ever.',
    query,
    answers: { 200: PAGE, 400: invalidQuery(eventsQuery, 'limit'), 404: NOT_FOUND('The supplier is not known.'), 410: EXPIRED },
  }),
  describe(declared.listPlatformEvents, answers, {
    id: 'listPlatformEvents',
    tag: 'Platform',
    summary: 'Follow what happened under all suppliers',
    description:
      'The same of all suppliers, in commit order. Who copies accounts takes a cursor first, copies, and then goes on from that cursor: reading an account again that an event names is enough.',
    query,
    answers: { 200: PAGE, 400: invalidQuery(eventsQuery, 'limit'), 410: EXPIRED },
  }),
];
