/** What operators are answered about import processes. */
import * as z from 'zod';
import { errorItem, moment } from '../../http/answers';
import { processStatus } from '../../import-processes/answers';

export const processError = z
  .object({ code: z.string(), detail: z.string(), errors: z.array(errorItem).optional(), domain: z.literal('import_process') })
  .nullable();

const listed = {
  external_account_number: z.string(),
  status: processStatus,
  account_number: z.string().nullable(),
  platform_identifier: z.string().nullable(),
  is_dry_run: z.boolean(),
  created_at: moment,
  modified_at: moment,
  latest_error: processError,
};

export const processes = z.array(z.object(listed));

export const foundAccounts = z.array(z.object({ import_supplier: z.string(), ...listed }));

export const process = z.object({
  ...listed,
  scheduled_at: moment,
  schedule_window_start: moment.nullable(),
  schedule_window_end: moment.nullable(),
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
  lease_until: moment.nullable(),
  attempts: z.int(),
  erased_at: moment.optional().meta({ description: 'Where what was sent was erased.' }),
  events: z.array(z.object({ event: z.string(), occurred_at: moment, data: processError })),
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

export const rates = z.array(z.object({ minute: moment, processed: z.int(), errored: z.int() }));
