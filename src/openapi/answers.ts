/**
 * The bodies of answers (§2, §7.2). Every answer that the conformance tests see is checked against these.
 */
import * as z from 'zod';

const text = (description: string) => z.string().meta({ description });
const instant = (description: string) => z.string().meta({ format: 'date-time', description });
const day = (description: string) => z.string().meta({ format: 'date', description });
const decimal = z.union([z.number(), z.string()]);

export const problem = z.object({
  detail: text('For a person. The wording may change: do not parse it.'),
  code: text('For logic: stable over time. See the table of error codes.'),
});

export const serverError = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  request_id: text('Under this id the log tells the cause.'),
});

export const errorItem = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  attr: text(
    'Dot-delimited path to the input that has to change; numbers are zero-based indexes. `customers.0.landline` is the landline of the first customer.',
  ),
});

export const validationError = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  errors: z.array(errorItem).meta({
    description: 'All errors at once, in the order of the payload; of more than 1,000 the first, then `too_many_errors`.',
  }),
});

const warning = z.object({
  detail: problem.shape.detail,
  code: z.enum(['undocumented_field', 'too_many_warnings']),
  attr: text('Dot-delimited path to the field; empty for `too_many_warnings`.'),
});
export const warnings = z.array(warning).optional().meta({
  description: 'Fields that are not documented, of more than 100 the first. They are stored as they were sent, and have no effect.',
});

export const validated = z.object({ warnings });
export const accountFailedValidation = z.object({ ...validationError.shape, warnings });

export const NOT_AUTHENTICATED = { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' };
export const AUTHENTICATION_FAILED = { detail: 'Invalid token.', code: 'authentication_failed' };
export const SERVER_ERROR = {
  detail: 'An unexpected error occurred. Send the request again.',
  code: 'error',
  request_id: '0f6f3c1e-7d0c-4c0e-9f57-0d9f3f6f2b11',
};

export const importProcessError = z.object({ code: problem.shape.code, detail: problem.shape.detail, domain: z.literal('import_process') });

export const alreadyImported = z.object({
  non_field_errors: problem,
  account_id: text('The platform account number of the account that exists.'),
});

export const empty = z.object({});

export const noteResults = z.array(
  z.object({
    created_at: instant('As stored.'),
    body: z.string().meta({ description: 'As sent; empty for a note of documents only.' }),
    status: z.enum(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']),
  }),
);

const transactionData = z.object({
  transaction_id: z.string(),
  transaction_date: day('As stored: moved into the open statement period where it was outside of it.'),
  amount: text('With two decimals.'),
  type: z.enum(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE']),
  reason: z.string().optional(),
  display_note: z.string().optional(),
  note: z.string().optional().meta({ description: 'A moved transaction tells its original date here.' }),
  reference: z.string().optional(),
  payment_type: z.string().optional(),
  product_code: z.string().optional(),
  line_items: z
    .array(
      z.object({
        rate_band: z.string().optional(),
        start_date: z.string(),
        end_date: z.string(),
        number_of_units: decimal,
        net_amount: decimal,
        price_per_unit: decimal.optional(),
        units: z.array(decimal).optional(),
      }),
    )
    .optional(),
  tax_items: z
    .array(z.object({ amount: decimal, tax_type: z.string(), value_taxed: decimal, rate: decimal, unit_type: z.string() }))
    .optional(),
  status: z.literal('TRANSACTION_IMPORT_SUCCESS').optional().meta({ description: 'On one that had been added before.' }),
});

export const transactionResults = z.object({
  results: z.array(
    z.object({
      status: z.enum(['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS']),
      transaction_data: transactionData,
      differs: z
        .literal(true)
        .optional()
        .meta({ description: 'On one that had been added before, with other content than was sent now: what was sent now is not stored.' }),
    }),
  ),
});

export const transactionImportError = z.object({
  status: z.literal('TRANSACTION_IMPORT_ERROR'),
  error_detail: text('Why the first failing transaction was refused.'),
  transaction_data: z.unknown().meta({ description: 'The first failing transaction as it was sent.' }),
  detail: problem.shape.detail,
  code: problem.shape.code,
  errors: validationError.shape.errors,
});

const sentInstruction = {
  error_detail: text('The first error in words.'),
  import_supplier: z.string().optional(),
  external_account_number: z.string().optional(),
  reference: z.string().optional(),
};
export const paymentInstructionError = z.object({
  ...validationError.shape,
  ...sentInstruction,
  active_payment_instruction: z
    .object({ vendor: z.string(), type: z.string() })
    .optional()
    .meta({ description: 'With `payment_instruction_already_active`: which one is, without its reference.' }),
});
export const vendorUnavailable = z.object({ ...serverError.shape, ...sentInstruction });

export const paymentInstructionStored = z.object({ platform_account_number: z.string(), reference: z.string() });

const PROCESS_STATUSES = ['PENDING', 'IN_PROGRESS', 'PROCESSED', 'CANCELLED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'ERRORED'] as const;
export const processStatus = z.enum(PROCESS_STATUSES);

const EVENTS = ['CREATED', 'PROCESSED', 'ERRORED', 'CANCELLED', 'DRY_RUN_SUCCEEDED'] as const;
const latestError = z.object({ code: problem.shape.code, detail: problem.shape.detail, domain: z.literal('import_process') });

export const importProcess = z.object({
  status: processStatus,
  platform_identifier: z.string().nullable().meta({ description: "The account's identifier; null until it is processed." }),
  created_at: instant('The first create; never changes.'),
  modified_at: instant('The latest change.'),
  latest_event: z.object({
    event: z.enum(EVENTS.map((event) => `EVENT_ACCOUNT_IMPORT_PROCESS_${event}` as const)),
    occurred_at: instant('When.'),
    data: latestError.nullable(),
  }),
  latest_error: latestError.nullable(),
  errors: z.array(errorItem).optional().meta({ description: 'Where the payload failed validation when it was processed.' }),
});

export const transferStatus = z.object({
  status: z.enum(['UNKNOWN', 'IN_PROGRESS', 'COMPLETED']),
  platform_account_number: text('Empty until the account is created.'),
});

export const summaries = z.array(
  z.object({
    external_account_number: z.string(),
    platform_account_number: z.string().nullable(),
    account_created_at: instant('When the platform account was made.').nullable(),
  }),
);

export const supplierProgress = z.object({
  import_supplier: z.string(),
  status: z.enum(['Ongoing', 'Paused', 'Complete']).nullable().meta({ description: 'Null where a release could not read it.' }),
  counts: z
    .object(Object.fromEntries(PROCESS_STATUSES.map((status) => [status, z.int()])))
    .meta({ description: 'Import processes by status.' }),
  oldest_pending_at: instant('Since when the oldest that is PENDING waits; null if none is.').nullable(),
  paused_since: instant('Where Paused.').optional(),
});

export const listedProcess = z.object({
  external_account_number: z.string(),
  status: processStatus,
  platform_account_number: z.string().nullable(),
  platform_identifier: z.string().nullable(),
  modified_at: instant('The latest change.'),
  latest_error: latestError.nullable(),
  errors: z.array(errorItem).optional().meta({ description: 'Where the payload failed validation when it was processed.' }),
});

export const graphqlAnswer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.looseObject({
        message: z.string(),
        extensions: z.looseObject({
          errorType: z.literal('VALIDATION'),
          errorCode: z.string().optional().meta({ description: 'Where a token was refused; see the table of error codes.' }),
          errorDescription: text('The same as `message`.'),
        }),
      }),
    )
    .optional(),
});

export const health = z.object({ status: z.literal('ok') });

const SECRET_REASONS = ['signing_key', 'previous_signing_key', 'operator_token', 'platform_token', 'previous_platform_token'] as const;

export const ready = z.object({ status: z.literal('ready') });
export const notReady = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  reasons: z.array(
    z.object({
      name: z.enum(['tables', 'write', 'sweep', 'restore', ...SECRET_REASONS]),
      detail: text('What the operator does about it.'),
    }),
  ),
});
