/** Words and examples for §4.14 and §4.15. */
import { CURSOR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { invalidQuery, NOT_FOUND, ok } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { processesQuery } from './schema';

const SUPPLIER = {
  import_supplier: 'DEMO',
  status: 'Paused',
  counts: { PENDING: 2, IN_PROGRESS: 0, PROCESSED: 9_998, ERRORED: 1, CANCELLED: 0, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0 },
  oldest_pending_at: '2026-11-20T10:16:21.730Z',
  paused_since: '2026-11-20T10:20:00.000Z',
};

const ERRORED = {
  external_account_number: 'ACC-7',
  status: 'ERRORED',
  platform_account_number: null,
  platform_identifier: null,
  modified_at: '2026-11-20T10:16:22.240Z',
  latest_error: { code: 'import_process_failed_validation', detail: 'The account data failed validation.', domain: 'import_process' },
  errors: [{ detail: 'Enter a valid phone number, without an extension.', code: 'invalid_phone_number', attr: 'customers.0.landline' }],
};

export const PROGRESS: readonly Operation[] = [
  describe(declared.listImportSuppliers, answers, {
    id: 'listImportSuppliers',
    tag: 'Lists',
    summary: 'List your import suppliers',
    description: 'Ours, beyond the specification: the suppliers of your organisation by code, each with how far its migration is.',
    answers: { 200: ok('The suppliers.', [SUPPLIER]) },
  }),
  describe(declared.getImportSupplier, answers, {
    id: 'getImportSupplier',
    tag: 'Lists',
    summary: 'See how far a migration is',
    description:
      'Ours, beyond the specification: the status of the supplier, its import processes counted by status, and since when the oldest that is PENDING waits.',
    answers: {
      200: ok('The supplier.', SUPPLIER),
      404: NOT_FOUND('The supplier is not known.'),
    },
  }),
  describe(declared.listImportProcesses, answers, {
    id: 'listImportProcesses',
    tag: 'Lists',
    summary: 'List import processes by status',
    description:
      'Ours, beyond the specification: what errored with all its errors, or what is in any other status, in the order of the first create. A page may hold fewer than `limit`, or none, and lead on by its `Link` header all the same.',
    query: {
      status: { description: 'Only those in this status.', example: 'ERRORED' },
      limit: { description: 'At most so many; 200 by default.', example: 100 },
      cursor: CURSOR,
    },
    answers: {
      200: ok('The import processes.', [ERRORED], ['Link']),
      400: invalidQuery(processesQuery, 'limit'),
      404: NOT_FOUND('The supplier is not known.'),
    },
  }),
];
