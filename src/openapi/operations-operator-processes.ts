/** The operator interface: import processes, queue and audit. */
import * as z from 'zod';
import { retryBody } from '../operator/processes/schema';
import * as answer from './answers';
import * as shown from './answers-operator';
import { invalidQuery, type Operation, ok } from './operation';
import { AT, act, CONFLICT, get, PAGE, REQUIRED, UNKNOWN, write } from './operator-helpers';

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
      description: 'ERRORED import processes by code, and by the codes of their fields.',
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
        'Schedules every ERRORED import process with this code again. What has no window or no payload any more is left out and counted.',
    },
    retryBody,
    { error_code: 'account_import_process_failed' },
    { 200: ok('How many.', shown.retried, { retried: 2 }), 400: REQUIRED('error_code'), 404: UNKNOWN, 409: CONFLICT },
  ),
  get(
    {
      id: 'listProcesses',
      path: 'suppliers/{code}/import-processes/',
      summary: 'Search import processes',
      description: 'In the order of the first create.',
      query: [
        { name: 'status', description: 'Only those in this state.', schema: answer.processStatus, example: 'ERRORED' },
        { name: 'prefix', description: 'Only external account numbers that begin so.', schema: z.string(), example: 'ACC-' },
        {
          name: 'error_code',
          description: 'Only those whose latest error has this code.',
          schema: z.string(),
          example: 'import_process_failed_validation',
        },
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
      id: 'getQueue',
      path: 'queue/',
      summary: 'Get the health of the queue',
      description: 'The oldest PENDING import process, expired leases and open dead letters.',
    },
    { 200: ok('Health.', shown.queue, { oldest_pending: null, expired_leases: 0, dead_letters: 0 }) },
  ),
  get(
    { id: 'listDeadLetters', path: 'dead-letters/', summary: 'List dead letters', description: 'Newest first.', query: PAGE },
    {
      200: ok(
        'Dead letters.',
        shown.deadLetters,
        [{ message_id: 'm-1', queue: 'account-imports', supplier: 'NORTH', processes: 20, failed_at: AT, redriven_at: null }],
        ['Link'],
      ),
      400: invalidQuery('limit'),
    },
  ),
  act(
    {
      id: 'redriveDeadLetter',
      path: 'dead-letters/{id}/redrive/',
      summary: 'Redrive a dead letter',
      description:
        'Retries the import processes of a message that had failed, if they are still ERRORED. What has no window or no payload any more is left out and counted.',
    },
    { 200: ok('How many.', shown.retried, { retried: 20 }), 404: UNKNOWN, 409: CONFLICT },
  ),
  get(
    { id: 'listAudit', path: 'audit/', summary: 'Read the audit trail', description: 'Who changed what, newest first.', query: PAGE },
    {
      200: ok(
        'Entries.',
        shown.audit,
        [
          {
            id: '7',
            occurred_at: AT,
            actor: 'token',
            action: 'supplier.changed',
            subject: 'NORTH',
            before: { status: 'Ongoing' },
            after: { status: 'Paused' },
          },
        ],
        ['Link'],
      ),
      400: invalidQuery('limit'),
    },
  ),
];
