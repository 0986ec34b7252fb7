/** §12: what happened, for those who follow it. */
import * as z from 'zod';
import { cursorExpired, eventPage } from './answers-events';
import { type Answer, invalidQuery, NOT_FOUND, type Operation, ok, one, PLATFORM_READ, READ } from './operation';

const CURSOR = 'Lk0rJb2xPpOo9zXhX8v0cQ';

export const EVENT = {
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

const query = [
  { name: 'limit', description: 'At most so many; 100 unless told.', schema: z.int().min(1).max(1_000), example: 100 },
  {
    name: 'cursor',
    description: 'Taken from the answer before; from the oldest event without.',
    schema: z.string().meta({ pattern: '^[A-Za-z0-9_-]{22}$' }),
  },
];

const EXPIRED: Answer = {
  description: 'Events behind this cursor have been deleted. Read again what you follow, and go on from the one in this answer.',
  schemas: [cursorExpired],
  examples: one('An old cursor', {
    detail: 'Events behind this cursor have been deleted. Go on from the one in this answer.',
    code: 'cursor_expired',
    cursor: CURSOR,
  }),
};

const PAGE = ok('Events, the oldest first.', eventPage, { events: [EVENT], cursor: CURSOR, has_more: false });

export const EVENT_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/v2/data-import/events/{import_supplier_code}/',
    id: 'listEvents',
    tag: 'Events',
    section: '12',
    summary: 'Follow what happened',
    description:
      'Ours, beyond the specification: imports that ended, what was added to accounts, changes of the supplier, in the order in which they were committed. An event is there if, and only if, what it tells was stored; it never holds personal data. Read on from the `cursor` of the answer before, for ever.',
    access: 'importer',
    query,
    answers: { 200: PAGE, 400: invalidQuery('limit'), 404: NOT_FOUND('The supplier is not known.'), 410: EXPIRED, ...READ },
  },
  {
    method: 'get',
    path: '/platform/v1/events/',
    id: 'listPlatformEvents',
    tag: 'Platform',
    section: '12',
    summary: 'Follow what happened under all suppliers',
    description:
      'The same of all suppliers, in commit order. Who copies accounts takes a cursor first, copies, and then goes on from that cursor: reading an account again that an event names is enough.',
    access: 'platform',
    query,
    answers: { 200: PAGE, 400: invalidQuery('limit'), 410: EXPIRED, ...PLATFORM_READ },
  },
];
