/** What systems of the platform are answered (§11). */
import * as z from 'zod';
import { wholeAccount } from '../account-reading/answers';

export { wholeAccount };

const last = z.object({
  cursor: z.string().meta({ description: 'Where to go on, now or at any later time.' }),
  has_more: z.boolean(),
});

/** A line. */
export const accountOrLast = z.union([wholeAccount, last]);
