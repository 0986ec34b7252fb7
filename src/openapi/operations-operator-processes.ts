/** The operator interface: import processes and queue. */
import * as z from 'zod';
import { retryBody } from '../operator/processes/schema';
import { restoreBody } from '../operator/restores/schema';
import * as answer from './answers';
import * as shown from './answers-operator';
import { invalidQuery, type Operation, ok, type Parameter } from './operation';
import { AT, act, CONFLICT, get, MESSAGE_ID, PAGE, REQUIRED, UNKNOWN, write } from './operator-helpers';

const LISTED = {
  external_account_number: 'ACC-1',
  status: 'PENDING',
  account_number: null,
  platform_identifier: null,
  is_dry_run: false,
  created_at: AT,
  modified_at: AT,
  latest_error: null,
};
const PROCESS = {
  ...LISTED,
  scheduled_at: AT,
  schedule_window_start: null,
  schedule_window_end: null,
  started_at: null,
  finished_at: null,
  lease_until: null,
  attempts: 0,
  events: [{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', occurred_at: AT, data: null }],
  payload: { import_supplier: 'NORTH', external_account_number: 'ACC-1', customers: [{ given_name: '•••' }] },
};

const LETTER = {
  message_id: MESSAGE_ID,
  queue: 'account-imports',
  supplier: 'NORTH',
  processes: 20,
  failed_at: AT,
  redriven_at: null,
  dismissed_at: null,
};

const NUMBER: Parameter = {
  name: 'number',
  description: 'The platform account number, or the platform identifier in decimal.',
  schema: z.string(),
  example: 'A-60BF1893',
};

const ONE = 'suppliers/{code}/import-processes/{external}/';

export const OPERATOR_PROCESS_OPERATIONS: readonly Operation[] = [
  get(
    {
      id: 'getRates',
      path: 'suppliers/{code}/rates/',
      summary: 'Get imports per minute',
      description: 'Oldest first.',
      query: [
        { name: 'minutes', description: 'How far back, 1 to 1,440; 60 unless told.', schema: z.int().min(1).max(1_440), example: 60 },
      ],
    },
    { 200: ok('Minutes.', shown.rates, [{ minute: AT, processed: 120, errored: 2 }]), 400: invalidQuery('minutes'), 404: UNKNOWN },
  ),
  get(
    {
      id: 'getErrors',
      path: 'suppliers/{code}/errors/',
      summary: 'Count errors',
      description: 'ERRORED import processes by code, and by the codes of their fields, these of the 20,000 newest that failed validation.',
    },
    {
      200: ok('Counts.', shown.errorCounts, {
        codes: [{ code: 'import_process_failed_validation', count: 2 }],
        field_codes: [{ code: 'document_not_found', count: 2 }],
      }),
      404: UNKNOWN,
    },
  ),
  write(
    'post',
    {
      id: 'retryErrored',
      path: 'suppliers/{code}/retry-errored/',
      summary: 'Retry all with an error',
      description:
        'Schedules the ERRORED import processes with this code again, up to 50,000 in a call. What has no window or no payload any more is left out and counted.',
    },
    retryBody,
    { error_code: 'account_import_process_failed' },
    { 200: ok('How many.', shown.retriedAll, { retried: 2, left: 0 }), 400: REQUIRED('error_code'), 404: UNKNOWN, 409: CONFLICT },
  ),
  get(
    {
      id: 'listProcesses',
      path: 'suppliers/{code}/import-processes/',
      summary: 'Search import processes',
      description: 'Newest first; with `prefix` in the order of the external account number.',
      query: [
        { name: 'status', description: 'Only those in this state.', schema: answer.processStatus, example: 'ERRORED' },
        { name: 'prefix', description: 'Only external account numbers that begin so.', schema: z.string(), example: 'ACC-' },
        {
          name: 'error_code',
          description: 'Only those whose latest error has this code.',
          schema: z.string(),
          example: 'import_process_failed_validation',
        },
        NUMBER,
        ...PAGE,
      ],
    },
    { 200: ok('Import processes.', shown.processes, [LISTED], ['Link']), 400: invalidQuery('limit'), 404: UNKNOWN },
  ),
  get(
    {
      id: 'getProcess',
      path: ONE,
      summary: 'Get an import process',
      description: 'With its event log, its errors and the masked payload.',
    },
    { 200: ok('The import process.', shown.process, PROCESS), 404: UNKNOWN },
  ),
  act(
    { id: 'cancelProcess', path: `${ONE}cancel/`, summary: 'Cancel an import process', description: 'PENDING becomes CANCELLED.' },
    { 200: ok('Cancelled.', shown.process, { ...PROCESS, status: 'CANCELLED' }), 404: UNKNOWN, 409: CONFLICT },
  ),
  act(
    {
      id: 'retryProcess',
      path: `${ONE}retry/`,
      summary: 'Retry an import process',
      description:
        'ERRORED becomes PENDING, with the staged payload. Refused once the schedule window is over, or retention has emptied the payload.',
    },
    { 200: ok('Scheduled again.', shown.process, PROCESS), 404: UNKNOWN, 409: CONFLICT },
  ),
  act(
    { id: 'revealPayload', path: `${ONE}reveal/`, summary: 'Reveal a payload', description: 'Unmasked, as staged; audited.' },
    { 200: ok('The payload.', shown.revealed, { payload: { import_supplier: 'NORTH', external_account_number: 'ACC-1' } }), 404: UNKNOWN },
  ),
  get(
    {
      id: 'findAccounts',
      path: 'accounts/',
      summary: 'Find an account',
      description:
        'Over all suppliers. With `number` the account that has this platform number or identifier: one, or none. With `search` also the import processes whose external account number begins so, by supplier code and number; an account that has it as its platform number or identifier comes first, beside the page.',
      query: [
        NUMBER,
        {
          name: 'search',
          description: 'The beginning of an external account number, a platform number or an identifier.',
          schema: z.string(),
        },
        ...PAGE,
      ],
    },
    {
      200: ok(
        'What was found.',
        shown.foundAccounts,
        [{ import_supplier: 'NORTH', ...LISTED, status: 'PROCESSED', account_number: 'A-60BF1893', platform_identifier: '1623136403' }],
        ['Link'],
      ),
      400: invalidQuery('number'),
    },
  ),
  get(
    {
      id: 'getQueue',
      path: 'queue/',
      summary: 'Get the health of the queue',
      description:
        'The oldest PENDING import process, expired leases, open dead letters, the age of the last sweep, and how full the database is.',
    },
    {
      200: ok('Health.', shown.queue, {
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
  ),
  get(
    { id: 'listDeadLetters', path: 'dead-letters/', summary: 'List dead letters', description: 'Newest first.', query: PAGE },
    {
      200: ok('Dead letters.', shown.deadLetters, [LETTER], ['Link']),
      400: invalidQuery('limit'),
    },
  ),
  act(
    {
      id: 'redriveDeadLetter',
      path: 'dead-letters/{id}/redrive/',
      summary: 'Redrive a dead letter',
      description:
        'Retries the import processes of a message that had failed, once, if they are still ERRORED and the supplier is not Complete. What has no window or no payload any more is left out and counted.',
    },
    { 200: ok('How many.', shown.retried, { retried: 20 }), 404: UNKNOWN, 409: CONFLICT },
  ),
  act(
    {
      id: 'dismissDeadLetter',
      path: 'dead-letters/{id}/dismiss/',
      summary: 'Dismiss a dead letter',
      description: 'Puts away what cannot be read or is not to be tried again. The import processes it named stay as they are.',
    },
    { 200: ok('The letter.', shown.deadLetter, { ...LETTER, dismissed_at: AT }), 404: UNKNOWN, 409: CONFLICT },
  ),
  write(
    'post',
    {
      id: 'finishRestore',
      role: 'administer',
      path: 'restores/',
      summary: 'Bring a restore of the database to its end',
      description:
        'After D1 Time Travel took the database back: new accounts come in again, under ids that were never given before. See docs/operating.md.',
    },
    restoreBody,
    { restored_to: AT, last_id: 120_000 },
    { 200: ok('Finished.', shown.restore, { epoch: 1, last_id: 220_000 }), 400: REQUIRED('restored_to'), 409: CONFLICT },
  ),
];
