/** Words and examples for §4.5, §4.6 and bulk. */
import * as z from 'zod';
import { BROKEN_GZIP, BULK_ANSWERED, BULK_REFUSED } from '../reference/bulk';
import { NOT_TAKEN, READ_ONLY_KEY } from '../reference/common-answers';
import { describe, type Operation } from '../reference/operation';
import { invalid, MALFORMED, ok, queryError } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { accountBody, bulkQuery } from './schema';

const ACCOUNT = {
  import_supplier: 'DEMO',
  external_account_number: 'ACC-1',
  billing_address: { country: 'GB', street_address: '12 Mill Lane', locality: 'Leeds', postal_code: 'LS1 4DY' },
  customers: [{ given_name: 'Ada', family_name: 'Byron', email: 'ada@example.com', landline: '020 7946 0018' }],
};
const BODIES = {
  account: { summary: 'An account', value: ACCOUNT },
  dry_run: { summary: 'A dry run of it', value: { payload: ACCOUNT, task_params: { is_dry_run: true } } },
  unknown_occupier: {
    summary: 'An unknown occupier',
    value: { import_supplier: 'DEMO', external_account_number: 'ACC-2', unknown_occupier: true, billing_name: 'The Occupier' },
  },
};

const wrapped = z.object({ payload: accountBody, task_params: accountBody.shape.task_params });

const ERROR = { code: 'import_process_failed_validation', detail: 'The account data failed validation.', domain: 'import_process' };

const UNDOCUMENTED = {
  detail: 'Check the name: this field is not documented. It is stored as it was sent and has no effect.',
  code: 'undocumented_field',
  attr: 'customers.0.nickname',
};

const INVALID_MODE = {
  detail: 'The data is not valid.',
  code: 'validation_error',
  errors: [queryError(bulkQuery, 'mode')],
};

export const ACCOUNTS: readonly Operation[] = [
  describe(declared.validateAccount, answers, {
    id: 'validateAccount',
    tag: 'Accounts',
    summary: 'Validate an account',
    description:
      'Validates the payload as create does and reports all errors at once. Stores nothing, and does not look at accounts that exist.',
    query: {
      warnings: { description: 'True adds `warnings` to the answer, valid or not: the fields that are not documented.', example: true },
    },
    body: BODIES,
    alsoSent: [wrapped],
    answers: {
      200: {
        description: 'Valid.',
        examples: {
          valid: { summary: 'Valid', value: {} },
          with_warnings: { summary: 'With `?warnings=true`', value: { warnings: [UNDOCUMENTED] } },
        },
      },
      400: invalid(
        'Not valid.',
        [{ detail: 'Enter a valid phone number, without an extension.', code: 'invalid_phone_number', attr: 'customers.0.landline' }],
        'account_failed_validation',
      ),
    },
  }),
  describe(declared.createAccount, answers, {
    id: 'createAccount',
    tag: 'Accounts',
    summary: 'Create an account',
    description:
      'Validates the payload, stages it and schedules the account for creation; the status resource says how that goes. Safe to repeat: one pair of supplier and account number is one account. Until it is processed another payload replaces the staged one, but a dry run never replaces a real import that waits. An account that is imported is answered so even if nothing but the status of its supplier or a missing document speaks against the create.',
    body: BODIES,
    alsoSent: [wrapped],
    others: { 503: NOT_TAKEN },
    answers: {
      201: ok('Scheduled.', {}),
      400: {
        description:
          'Not valid (validate has the full list; `detail` says if the status of the supplier is the reason), in progress with another payload, or imported already.',
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
    },
  }),
  describe(declared.bulkAccounts, answers, {
    id: 'bulkAccounts',
    tag: 'Accounts',
    summary: 'Create or validate many accounts',
    description:
      'Ours, beyond the specification: NDJSON, one account a line, each checked as a create checks it; up to 10,000 lines that are not blank, 64 MiB and 1 MiB a line. The body may be gzip (`Content-Encoding: gzip`); the limits hold for what comes out of it. Answers are streamed, one line each, in order; a bad line never stops the rest. `warnings` lists fields that are not documented. The last line says that the answer is whole: without it, send again what has no answer, and nothing is doubled. It is missing, too, after line 10,001, which is INVALID with `max_length`: the lines behind that one are not looked at.',
    query: {
      mode: { description: '`validate` stores nothing. Default `create`.', example: 'create' },
      run: { description: 'The run of each line that names none itself.', example: 'wave-1' },
    },
    alsoSent: [wrapped],
    others: { 403: READ_ONLY_KEY, 503: NOT_TAKEN },
    answers: {
      200: BULK_ANSWERED,
      400: { description: BULK_REFUSED, examples: { mode: { summary: 'An unknown mode', value: INVALID_MODE }, broken: BROKEN_GZIP } },
    },
  }),
];
