/** §4.5 to §4.11: accounts, their import processes, and the lists of them. */
import * as z from 'zod';
import { accountBody } from '../accounts/schema';
import * as answer from './answers';
import {
  CREATE,
  invalid,
  invalidQuery,
  MALFORMED,
  NOT_FOUND,
  noContent,
  type Operation,
  ok,
  one,
  type Parameter,
  READ,
  WRITE,
} from './operation';

const wrapped = z.object({ payload: accountBody, task_params: accountBody.shape.task_params });

const ACCOUNT = {
  import_supplier: 'DEMO',
  external_account_number: 'ACC-1',
  billing_address: { country: 'GB', street_address: '12 Mill Lane', locality: 'Leeds', postal_code: 'LS1 4DY' },
  customers: [{ given_name: 'Ada', family_name: 'Byron', email: 'ada@example.com', landline: '020 7946 0018' }],
};
const BODIES = {
  schemas: [accountBody, wrapped],
  examples: {
    account: { summary: 'An account', value: ACCOUNT },
    dry_run: { summary: 'A dry run of it', value: { payload: ACCOUNT, task_params: { is_dry_run: true } } },
    unknown_occupier: {
      summary: 'An unknown occupier',
      value: { import_supplier: 'DEMO', external_account_number: 'ACC-2', unknown_occupier: true, billing_name: 'The Occupier' },
    },
  },
};

const PROCESS = {
  status: 'PROCESSED',
  platform_identifier: '1861059121',
  created_at: '2026-11-20T10:16:21.730Z',
  modified_at: '2026-11-20T10:16:22.240Z',
  latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED', occurred_at: '2026-11-20T10:16:22.240Z', data: null },
  latest_error: null,
};
const ERROR = { code: 'import_process_failed_validation', detail: 'The account data failed validation.', domain: 'import_process' };

const NDJSON = 'application/x-ndjson';
const INVALID_MODE = {
  detail: 'The data is not valid.',
  code: 'validation_error',
  errors: [{ detail: 'This is not a valid value of the parameter.', code: 'invalid', attr: 'mode' }],
};

const STAGED = { external_account_number: 'ACC-2', platform_account_number: null, account_created_at: null };
const CREATED = { platform_account_number: 'A-6EFD7231', account_created_at: PROCESS.modified_at };
const IMPORTED = { external_account_number: 'ACC-1', ...CREATED };

const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    description: 'At most so many items; the `Link` header then leads on. Without it the whole array is streamed.',
    schema: z.int().min(1).max(10_000),
    example: 100,
  },
  {
    name: 'cursor',
    description: 'Where to go on: taken from the `Link` header of the page before.',
    schema: z.string().meta({ pattern: '^[A-Za-z0-9_-]+$' }),
  },
];

const list = (name: string, id: string, section: string, summary: string, description: string, items: readonly unknown[]): Operation => ({
  method: 'get',
  path: `/v1/data-import/${name}/{import_supplier_code}/`,
  id,
  tag: 'Lists',
  section,
  summary,
  description: `${description} In the order of the first create. The closing bracket is written after the last page came back: a cut answer does not parse.`,
  access: 'importer',
  query: PAGE,
  answers: {
    200: ok('Account import summaries.', answer.summaries, items, ['Link']),
    400: invalidQuery('limit'),
    404: NOT_FOUND('The supplier is not known.'),
    ...READ,
  },
});

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v2/data-import/accounts/validate/',
    id: 'validateAccount',
    tag: 'Accounts',
    section: '4.5',
    summary: 'Validate an account',
    description:
      'Judges the payload as create does and tells all errors at once. Stores nothing, and does not look at accounts that exist.',
    access: 'importer',
    body: BODIES,
    answers: {
      200: ok('Valid.', answer.empty, {}),
      400: invalid(
        'Not valid.',
        [{ detail: 'Enter a valid phone number, without an extension.', code: 'invalid_phone_number', attr: 'customers.0.landline' }],
        'account_failed_validation',
      ),
      ...WRITE,
    },
  },
  {
    method: 'post',
    path: '/v2/data-import/accounts/',
    id: 'createAccount',
    tag: 'Accounts',
    section: '4.6',
    summary: 'Create an account',
    description:
      'Validates the payload, stages it and schedules the account for creation; the status resource tells how that goes. Safe to repeat: one pair of supplier and account number is one account. Until it is processed another payload replaces the staged one, but a dry run never replaces a real import that waits. An account that is imported is told so even if nothing but the status of its supplier or a missing document speaks against the create.',
    access: 'importer',
    body: BODIES,
    answers: {
      201: ok('Scheduled.', answer.empty, {}),
      400: {
        description:
          'Not valid (validate has the full list; `detail` says if the status of the supplier is the reason), in progress with another payload, or imported already.',
        schemas: [answer.importProcessError, answer.alreadyImported, answer.problem],
        examples: {
          invalid: { summary: 'Not valid', value: { ...ERROR } },
          paused: { summary: 'The supplier is Paused', value: { ...ERROR, detail: 'Migrations of this import supplier are paused.' } },
          in_progress: {
            summary: 'In progress with another payload',
            value: {
              ...ERROR,
              code: 'account_import_process_in_progress',
              detail:
                'Another import of this account is being processed, or waits and is no dry run. Send this one again when that import has ended.',
            },
          },
          already_imported: {
            summary: 'Imported already',
            value: {
              non_field_errors: { detail: 'This account has already been imported.', code: 'account_import_process_already_imported' },
              account_id: 'A-6EFD7231',
            },
          },
          malformed: MALFORMED,
        },
      },
      ...CREATE,
    },
  },
  {
    method: 'post',
    path: '/v2/data-import/accounts/bulk/',
    id: 'bulkAccounts',
    tag: 'Accounts',
    summary: 'Create or validate many accounts',
    description:
      'Ours, beyond the specification: NDJSON, one account a line, each judged as a create that follows those before it; up to 10,000 lines, 64 MiB and 1 MiB a line. Answers are streamed, one line each, in order; a bad line never stops the rest. The last line says that the answer is whole: without it, send the file again, and nothing is doubled.',
    access: 'importer',
    query: [
      {
        name: 'mode',
        description: '`validate` stores nothing. Default `create`.',
        schema: z.enum(['create', 'validate']),
        example: 'create',
      },
    ],
    body: { mediaType: NDJSON, schemas: [accountBody, wrapped] },
    answers: {
      200: {
        description: 'One line for each, and one that says it is whole.',
        mediaType: NDJSON,
        schemas: [answer.bulkLine, answer.bulkDone],
      },
      400: { ...invalidQuery('mode'), examples: one('An unknown mode', INVALID_MODE) },
      ...CREATE,
    },
  },
  {
    method: 'get',
    path: '/v2/data-import/accounts/{import_supplier_code}/{external_identifier}/',
    id: 'getImportProcess',
    tag: 'Accounts',
    section: '4.7',
    summary: 'Get the import status of an account',
    description: 'Ask again after `Retry-After` seconds while the status is PENDING or IN_PROGRESS.',
    access: 'importer',
    answers: {
      200: {
        description: 'The import process.',
        schemas: [answer.importProcess],
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
      ...READ,
    },
  },
  {
    method: 'delete',
    path: '/v2/data-import/accounts/{import_supplier_code}/{external_identifier}/',
    id: 'cancelImport',
    tag: 'Accounts',
    summary: 'Cancel an import',
    description: 'Ours, beyond the specification: PENDING becomes CANCELLED. A later create schedules the account again.',
    access: 'importer',
    answers: {
      204: noContent('Cancelled.'),
      404: NOT_FOUND('No import process of this pair.'),
      409: {
        description: 'The import is not PENDING.',
        schemas: [answer.problem],
        examples: one('Not allowed', { detail: 'Only an import that is PENDING can be cancelled.', code: 'invalid_transition' }),
      },
      ...READ,
    },
  },
  {
    method: 'get',
    path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
    id: 'getTransferStatus',
    tag: 'Accounts',
    section: '4.8',
    summary: 'Get the transfer status of an account',
    description: 'The same in three words. UNKNOWN: nothing is attempting to create the account right now.',
    access: 'importer',
    answers: {
      200: ok('The transfer status.', answer.transferStatus, { status: 'COMPLETED', platform_account_number: 'A-6EFD7231' }, [
        'Retry-After',
      ]),
      404: NOT_FOUND('No import process of this pair.'),
      ...READ,
    },
  },
  list('all-account-import-processes', 'listAccountImports', '4.9', 'List all account imports', 'Staged and imported accounts.', [
    IMPORTED,
    STAGED,
  ]),
  list('pending-account-import-processes', 'listPendingImports', '4.10', 'List pending imports', 'Without a platform account.', [STAGED]),
  list('imported-account-import-processes', 'listImportedAccounts', '4.11', 'List imported accounts', 'With a platform account.', [
    IMPORTED,
  ]),
];
