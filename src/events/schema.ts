/** The query of events. */
import * as z from 'zod';

export const MAX_EVENTS = 1_000;

export const eventsQuery = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .refine((limit) => limit <= MAX_EVENTS)
    .optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22}$/)
    .optional(),
});
