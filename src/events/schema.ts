/** The query of events (§12). */
import * as z from 'zod';
import { numberUpTo } from '../shared/query';

export const MAX_EVENTS = 1_000;

export const eventsQuery = z.object({
  limit: numberUpTo(MAX_EVENTS),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22}$/)
    .optional(),
});
