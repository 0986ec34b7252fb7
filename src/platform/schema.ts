/** The query of the accounts in commit order. */
import * as z from 'zod';

export const MAX_ACCOUNTS = 1_000;

export const accountsQuery = z.object({
  import_supplier: z.string().min(1).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .refine((limit) => limit <= MAX_ACCOUNTS)
    .optional(),
  /** A commit, and how many of its accounts were read. */
  cursor: z
    .string()
    .regex(/^\d{1,15}\.\d{1,6}$/)
    .transform((text) => {
      const [commit = 0, position = 0] = text.split('.').map(Number);
      return { commit, position };
    })
    .optional(),
});
