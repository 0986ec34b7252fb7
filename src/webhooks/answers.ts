/** The bodies of answers about webhooks (§13). */
import * as z from 'zod';
import { cursorExpired } from '../events/answers';
import { EVENT_TYPES } from '../events/pure';
import { instant, moment, text } from '../http/answers';

export { cursorExpired };

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  import_suppliers: z.array(z.string()).meta({ description: 'Empty: all of the organisation, also those to come.' }),
  types: z.array(z.enum(EVENT_TYPES)).meta({ description: 'Empty: all.' }),
  state: z.enum(['ENABLED', 'FAILING', 'DISABLED']),
  is_enabled: z.boolean(),
  disabled_reason: z
    .enum(['importer', 'failing', 'gone'])
    .optional()
    .meta({ description: 'By PATCH, after three days of failures, or by a 410 of the receiver.' }),
  created_at: moment,
  lag_seconds: z.int().meta({ description: 'For how long events wait; 0 if none does.' }),
  delivered_at: instant('The latest event that was taken.').optional(),
  latest_failure: z
    .object({ at: moment, reason: text('`status_503`, `time_out`, `network_error`.') })
    .optional()
    .meta({ description: 'Gone once an event was taken.' }),
  previous_secret_until: instant('Until then the secret before this one signs along.').optional(),
});

export const webhooks = z.array(webhook);

export const newWebhook = z.object({
  ...webhook.shape,
  secret: z.string().meta({ description: 'Shown in this answer only; stored nowhere.' }),
});

export const tried = z.object({ is_taken: z.boolean(), reason: text('Why not: `status_503`, `time_out`, `network_error`.').optional() });
