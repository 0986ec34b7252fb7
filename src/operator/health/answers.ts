/** What operators are answered about the queue and dead letters. */
import * as z from 'zod';
import { moment } from '../../http/answers';

export { retried } from '../processes/answers';

export const queue = z.object({
  oldest_pending: z
    .object({ supplier: z.string(), external_account_number: z.string(), scheduled_at: moment, waiting_seconds: z.int() })
    .nullable(),
  expired_leases: z.int(),
  dead_letters: z.int(),
  last_sweep_at: moment.nullable(),
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

export const deadLetter = z.object({
  message_id: z.string(),
  queue: z.string(),
  supplier: z.string().nullable(),
  processes: z.int(),
  failed_at: moment,
  redriven_at: moment.nullable(),
  dismissed_at: moment.nullable(),
});

export const deadLetters = z.array(deadLetter);
