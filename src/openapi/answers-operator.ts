/** The bodies of answers of the operator interface. */
import * as z from 'zod';
import { errorItem, processStatus } from './answers';

const instant = z.string().meta({ format: 'date-time' });

export const organisation = z.object({ id: z.string(), name: z.string(), created_at: instant });
export const organisations = z.array(organisation);

export const newApiKey = z.object({
  id: z.string(),
  api_key: z.string().meta({ description: 'Shown once: only a digest is kept.' }),
  label: z.string(),
  created_at: instant,
});
export const apiKeys = z.array(
  z.object({ id: z.string(), label: z.string(), created_at: instant, last_used_at: instant.optional(), revoked_at: instant.optional() }),
);

export const supplier = z.object({
  organisation_id: z.string(),
  code: z.string(),
  name: z.string(),
  status: z
    .enum(['Ongoing', 'Paused', 'Complete'])
    .nullable()
    .meta({ description: 'Null where the stored status cannot be read by this release.' }),
  configuration: z
    .object({
      default_country: z.string(),
      documents_root: z.string().meta({ description: 'The folder of the bucket that document paths start in; the code unless given.' }),
      time_zone: z.string().meta({ description: 'IANA name: “today” of the open statement period is the date there.' }),
      send_customer_emails: z.boolean(),
      extra_charge_reasons: z.array(z.string()),
      extra_credit_reasons: z.array(z.string()),
      vendors: z.array(z.string()),
      payload_retention_days: z.int(),
      undo_hours: z.int(),
    })
    .nullable()
    .meta({ description: 'Null where the stored settings cannot be read by this release: give those that the 400 of a change names.' }),
  version: z
    .int()
    .meta({ description: 'Moves at each change; sent along with a change, it is refused once somebody else changed the supplier.' }),
  created_at: instant,
  modified_at: instant,
  import_processes: z.record(z.string(), z.int()).meta({ description: 'How many, by status.' }),
});
export const suppliers = z.array(supplier);

export const processError = z
  .object({ code: z.string(), detail: z.string(), errors: z.array(errorItem).optional(), domain: z.literal('import_process') })
  .nullable();

const listed = {
  external_account_number: z.string(),
  status: processStatus,
  account_number: z.string().nullable(),
  platform_identifier: z.string().nullable(),
  is_dry_run: z.boolean(),
  created_at: instant,
  modified_at: instant,
  latest_error: processError,
};
export const processes = z.array(z.object(listed));
export const foundAccounts = z.array(z.object({ import_supplier: z.string(), ...listed }));

export const process = z.object({
  ...listed,
  scheduled_at: instant,
  schedule_window_start: instant.nullable(),
  schedule_window_end: instant.nullable(),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  lease_until: instant.nullable(),
  attempts: z.int(),
  events: z.array(z.object({ event: z.string(), occurred_at: instant, data: processError })),
  payload: z.unknown().meta({ description: 'As staged, personal data masked; null once retention has emptied it.' }),
});

export const revealed = z.object({ payload: z.unknown() });
export const retried = z.object({
  retried: z.int(),
  left_out: z.object({ window_over: z.int(), payload_emptied: z.int() }).optional().meta({
    description:
      'ERRORED, but not to be retried: the schedule window has closed, or retention has emptied the payload. Create these again.',
  }),
});
export const retriedAll = retried.extend({ left: z.int().meta({ description: 'More than one call retries: call again.' }) });

const counts = z.array(z.object({ code: z.string(), count: z.int() }));
export const errorCounts = z.object({ codes: counts, field_codes: counts });
export const rates = z.array(z.object({ minute: instant, processed: z.int(), errored: z.int() }));

export const queue = z.object({
  oldest_pending: z
    .object({ supplier: z.string(), external_account_number: z.string(), scheduled_at: instant, waiting_seconds: z.int() })
    .nullable(),
  expired_leases: z.int(),
  dead_letters: z.int(),
  last_sweep_at: instant.nullable(),
  last_sweep_seconds: z.int().nullable().meta({ description: 'How long ago that is. The sweep runs every minute.' }),
  takes_new_accounts: z.boolean().meta({ description: 'False beyond 90 % of the database, and until a restore was brought to its end.' }),
  last_id: z.int().meta({ description: 'The largest internal id given. Note it before a restore of the database.' }),
  database: z
    .object({
      size_bytes: z.int(),
      limit_bytes: z.int(),
      percent: z.number(),
      level: z.enum(['ok', 'high', 'full']).meta({ description: 'high from 80 %, full from 90 %: then new accounts get 503.' }),
    })
    .optional(),
});

export const restore = z.object({
  epoch: z.int(),
  last_id: z.int().meta({ description: 'Ids are given past this one.' }),
});

export const deadLetter = z.object({
  message_id: z.string(),
  queue: z.string(),
  supplier: z.string().nullable(),
  processes: z.int(),
  failed_at: instant,
  redriven_at: instant.nullable(),
  dismissed_at: instant.nullable(),
});
export const deadLetters = z.array(deadLetter);

export const audit = z.array(
  z.object({
    id: z.string(),
    occurred_at: instant,
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  }),
);
