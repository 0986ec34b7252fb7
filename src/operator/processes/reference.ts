/** Words and examples for import processes, as operators see them. */

import { describe, type Operation } from '../../reference/operation';
import { AT, CONFLICT, PAGE, REQUIRED, UNKNOWN } from '../../reference/operator';
import { invalidQuery, ok, one } from '../../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { accountsQuery, processesQuery, ratesQuery } from './schema';

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

const NUMBER = { description: 'The platform account number, or the platform identifier in decimal.', example: 'A-60BF1893' };

export const OPERATOR_PROCESSES: readonly Operation[] = [
  describe(declared.getRates, answers, {
    tag: 'Operator',
    id: 'getRates',
    summary: 'Get imports per minute',
    description: 'Oldest first.',
    query: { minutes: { description: 'How far back, 1 to 1,440; 60 by default.', example: 60 } },
    answers: { 200: ok('Minutes.', [{ minute: AT, processed: 120, errored: 2 }]), 400: invalidQuery(ratesQuery, 'minutes'), 404: UNKNOWN },
  }),
  describe(declared.getErrors, answers, {
    tag: 'Operator',
    id: 'getErrors',
    summary: 'Count errors',
    description: 'ERRORED import processes by code, and by the codes of their fields, these of the 20,000 newest that failed validation.',
    answers: {
      200: ok('Counts.', {
        codes: [{ code: 'import_process_failed_validation', count: 2 }],
        field_codes: [{ code: 'document_not_found', count: 2 }],
      }),
      404: UNKNOWN,
    },
  }),
  describe(declared.retryErrored, answers, {
    tag: 'Operator',
    id: 'retryErrored',
    summary: 'Retry all with an error',
    description:
      'Schedules the ERRORED import processes with this code again, up to 50,000 in a call. What has no window or no payload any more is left out and counted.',
    body: one('Retry all with an error', { error_code: 'account_import_process_failed' }),
    answers: { 200: ok('How many.', { retried: 2, left: 0 }), 400: REQUIRED('error_code'), 404: UNKNOWN, 409: CONFLICT },
  }),
  describe(declared.listProcesses, answers, {
    tag: 'Operator',
    id: 'listProcesses',
    summary: 'Search import processes',
    description: 'Newest first; with `prefix` in the order of the external account number.',
    query: {
      status: { description: 'Only those in this state.', example: 'ERRORED' },
      prefix: { description: 'Only external account numbers that begin so.', example: 'ACC-' },
      error_code: { description: 'Only those whose latest error has this code.', example: 'import_process_failed_validation' },
      number: NUMBER,
      ...PAGE,
    },
    answers: { 200: ok('Import processes.', [LISTED], ['Link']), 400: invalidQuery(processesQuery, 'limit'), 404: UNKNOWN },
  }),
  describe(declared.getProcess, answers, {
    tag: 'Operator',
    id: 'getProcess',
    summary: 'Get an import process',
    description: 'With its event log, its errors and the masked payload.',
    answers: { 200: ok('The import process.', PROCESS), 404: UNKNOWN },
  }),
  describe(declared.cancelProcess, answers, {
    tag: 'Operator',
    id: 'cancelProcess',
    summary: 'Cancel an import process',
    description: 'PENDING becomes CANCELLED.',
    answers: { 200: ok('Cancelled.', { ...PROCESS, status: 'CANCELLED' }), 404: UNKNOWN, 409: CONFLICT },
  }),
  describe(declared.retryProcess, answers, {
    tag: 'Operator',
    id: 'retryProcess',
    summary: 'Retry an import process',
    description:
      'ERRORED becomes PENDING, with the staged payload. Refused once the schedule window is over, or retention has emptied the payload.',
    answers: { 200: ok('Scheduled again.', PROCESS), 404: UNKNOWN, 409: CONFLICT },
  }),
  describe(declared.revealPayload, answers, {
    tag: 'Operator',
    id: 'revealPayload',
    summary: 'Reveal a payload',
    description: 'Unmasked, as staged; audited.',
    answers: { 200: ok('The payload.', { payload: { import_supplier: 'NORTH', external_account_number: 'ACC-1' } }), 404: UNKNOWN },
  }),
  describe(declared.findAccounts, answers, {
    tag: 'Operator',
    id: 'findAccounts',
    summary: 'Find an account',
    description:
      'Over all suppliers. With `number` the account that has this platform number or identifier: one, or none. With `search` also the import processes whose external account number begins so, by supplier code and number; an account that has it as its platform number or identifier comes first, beside the page.',
    query: {
      number: NUMBER,
      search: { description: 'The beginning of an external account number, a platform number or an identifier.' },
      ...PAGE,
    },
    answers: {
      200: ok(
        'What was found.',
        [{ import_supplier: 'NORTH', ...LISTED, status: 'PROCESSED', account_number: 'A-60BF1893', platform_identifier: '1623136403' }],
        ['Link'],
      ),
      400: invalidQuery(accountsQuery, 'number'),
    },
  }),
];
