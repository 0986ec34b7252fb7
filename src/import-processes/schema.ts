/** The query of the lists (§4.9–4.11). */
import * as z from 'zod';

export const MAX_LIST_LIMIT = 10_000;

/** `limit` and `cursor` are opt-in; a cursor alone carries on in pages of 1,000. */
export const listQuery = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,4}$/)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIST_LIMIT)
    .optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
});
