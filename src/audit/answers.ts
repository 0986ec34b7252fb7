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
    supplier: z.string().optional().meta({ description: 'The code of the supplier it was done to, or to whose migration.' }),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  }),
);
