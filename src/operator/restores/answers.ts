/** What is answered when a restore is brought to its end. */
import * as z from 'zod';

export const restore = z.object({
  epoch: z.int(),
  last_id: z.int().meta({ description: 'Ids are given past this one.' }),
});
