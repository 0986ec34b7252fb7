/** What is answered about alerts and the addresses they are sent to. */
import * as z from 'zod';
import { moment } from '../../http/answers';

export const alerts = z.array(
  z.object({
    id: z.string(),
    rule: z.string().meta({
      description:
        '`nothing_moves`, `many_errors`, `many_refusals`, `webhook_disabled`, `dead_letters`, `database_filling`, `sweep_late`; more may come.',
    }),
    supplier: z.string().optional().meta({ description: 'The code of the supplier it is about; absent where it is the whole service.' }),
    is_firing: z.boolean(),
    since: moment,
    ended_at: moment.optional(),
    summary: z.string().meta({ description: 'In one sentence.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'What was measured when it fired last: numbers and codes.' }),
  }),
);

const address = z.object({
  id: z.string(),
  url: z.string(),
  created_at: moment,
  delivered_at: moment.optional().meta({ description: 'When it took an alert last.' }),
  failed_at: moment.optional().meta({ description: 'When it last did not; absent again once it took one.' }),
  failure: z.string().optional().meta({ description: '`status_503`, `time_out`, `network_error` or `signing_key_missing`.' }),
});
export const newAlertAddress = address.extend({
  secret: z.string().meta({ description: 'Verifies the signature (Standard Webhooks). Shown once: nothing stores it.' }),
});
export const alertAddresses = z.array(address);

export const alertTest = z.object({ is_taken: z.boolean(), failure: z.string().optional() });
