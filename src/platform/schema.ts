/** The query of the accounts in commit order. */
import * as z from 'zod';
import { numberUpTo } from '../shared/query';

export const MAX_ACCOUNTS = 1_000;

export const accountsQuery = z.object({
  import_supplier: z.string().min(1).optional(),
  limit: numberUpTo(MAX_ACCOUNTS),
  /** A commit, and how many of its accounts were read. */
  cursor: z
    .string()
    .regex(/^[0-9]{1,15}[.][0-9]{1,6}$/)
    .transform((text) => {
      const [commit = 0, position = 0] = text.split('.').map(Number);
      return { commit, position };
    })
    .optional(),
});
