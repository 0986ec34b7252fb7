/** The audit trail. */
import * as z from 'zod';
import { moment } from '../http/answers';

export const audit = z.array(
  z.object({
    id: z.string(),
    occurred_at: moment,
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  }),
);
