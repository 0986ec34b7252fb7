/** §4.5 to §4.8: accounts and their import processes. */
import { accountBody } from '../accounts/schema';
import * as answer from './answers';
import { booleanQuery, CHANGES, CREATE, invalid, MALFORMED, NOT_FOUND, noContent, type Operation, ok, one, READ, WRITE } from './operation';
import { BULK, wrapped } from './operations-bulk';

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

const UNDOCUMENTED = {
  detail: 'Check the name: this field is not documented. It is stored as it was sent and has no effect.',
  code: 'undocumented_field',
  attr: 'customers.0.nickname',
};

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
    query: [
      {
        name: 'warnings',
        description: 'True adds `warnings` to the answer, valid or not: the fields that are not documented.',
        schema: booleanQuery,
        example: true,
      },
    ],
    body: BODIES,
    answers: {
      200: {
        description: 'Valid.',
        schemas: [answer.validated],
        examples: {
          valid: { summary: 'Valid', value: {} },
          with_warnings: { summary: 'With `?warnings=true`', value: { warnings: [UNDOCUMENTED] } },
        },
      },
      400: {
        ...invalid(
          'Not valid.',
          [{ detail: 'Enter a valid phone number, without an extension.', code: 'invalid_phone_number', attr: 'customers.0.landline' }],
          'account_failed_validation',
        ),
        schemas: [answer.accountFailedValidation, answer.problem],
      },
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
  BULK,
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
      ...CHANGES,
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
];
