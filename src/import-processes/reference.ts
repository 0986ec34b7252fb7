/** Words and examples for §4.7 to §4.11. */
import { CURSOR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { invalidQuery, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { listQuery } from './schema';

const PROCESS = {
  status: 'PROCESSED',
  platform_identifier: '1861059121',
  created_at: '2026-11-20T10:16:21.730Z',
  modified_at: '2026-11-20T10:16:22.240Z',
  latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED', occurred_at: '2026-11-20T10:16:22.240Z', data: null },
  latest_error: null,
};
const ERROR = { code: 'import_process_failed_validation', detail: 'The account data failed validation.', domain: 'import_process' };

const STAGED = { external_account_number: 'ACC-2', platform_account_number: null, account_created_at: null };
const CREATED = { platform_account_number: 'A-6EFD7231', account_created_at: '2026-11-20T10:16:22.240Z' };
const IMPORTED = { external_account_number: 'ACC-1', ...CREATED };

const WORDS = {
  query: {
    limit: { description: 'At most so many items; the `Link` header then leads on. Without it the whole array is streamed.', example: 100 },
    cursor: CURSOR,
  },
  tag: 'Lists',
} as const;

const ORDER =
  'In the order of the first create. The closing bracket is written after the last page came back: a cut answer does not parse.';

const found = (items: readonly unknown[]) => ({
  200: ok('Account import summaries.', items, ['Link']),
  400: invalidQuery(listQuery, 'limit'),
  404: NOT_FOUND('The supplier is not known.'),
});

export const IMPORT_PROCESSES: readonly Operation[] = [
  describe(declared.getImportProcess, answers, {
    id: 'getImportProcess',
    tag: 'Accounts',
    summary: 'Get the import status of an account',
    description: 'Ask again after `Retry-After` seconds while the status is PENDING or IN_PROGRESS.',
    answers: {
      200: {
        description: 'The import process.',
        examples: {
          processed: { summary: 'Processed', value: PROCESS },
          errored: {
            summary: 'Errored',
            value: {
              ...PROCESS,
              status: 'ERRORED',
              platform_identifier: null,
              latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED', occurred_at: PROCESS.modified_at, data: ERROR },
              latest_error: ERROR,
            },
          },
        },
        headers: ['Retry-After'],
      },
      404: NOT_FOUND('No import process of this pair.'),
    },
  }),
  describe(declared.cancelImport, answers, {
    id: 'cancelImport',
    tag: 'Accounts',
    summary: 'Cancel an import',
    description: 'Ours, beyond the specification: PENDING becomes CANCELLED. A later create schedules the account again.',
    answers: {
      204: { description: 'Cancelled.' },
      404: NOT_FOUND('No import process of this pair.'),
      409: {
        description: 'The import is not PENDING.',
        examples: one('Not allowed', { detail: 'Only an import that is PENDING can be cancelled.', code: 'invalid_transition' }),
      },
    },
  }),
  describe(declared.getTransferStatus, answers, {
    id: 'getTransferStatus',
    tag: 'Accounts',
    summary: 'Get the transfer status of an account',
    description: 'The same in three words. UNKNOWN: nothing is attempting to create the account right now.',
    answers: {
      200: ok('The transfer status.', { status: 'COMPLETED', platform_account_number: 'A-6EFD7231' }, ['Retry-After']),
      404: NOT_FOUND('No import process of this pair.'),
    },
  }),
  describe(declared.listAccountImports, answers, {
    id: 'listAccountImports',
    summary: 'List all account imports',
    description: `Staged and imported accounts. ${ORDER}`,
    ...WORDS,
    answers: found([IMPORTED, STAGED]),
  }),
  describe(declared.listPendingImports, answers, {
    id: 'listPendingImports',
    summary: 'List pending imports',
    description: `Without a platform account. ${ORDER}`,
    ...WORDS,
    answers: found([STAGED]),
  }),
  describe(declared.listImportedAccounts, answers, {
    id: 'listImportedAccounts',
    summary: 'List imported accounts',
    description: `With a platform account. ${ORDER}`,
    ...WORDS,
    answers: found([IMPORTED]),
  }),
];
