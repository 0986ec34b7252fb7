/**
 * The messages of every queue. They carry ids only: payloads stay in the database.
 */
import * as z from 'zod';

/** Import processes of one supplier that may start now; at most 500, their payloads together at most 2.8 MB where we can. */
export const importMessage = z.object({
  v: z.literal(1),
  supplier_id: z.int().positive(),
  process_ids: z.array(z.int().positive()).min(1).max(500),
  /** Unix milliseconds. A process scheduled later has a message of its own. */
  sent_at: z.int().optional(),
});
export type ImportMessage = z.output<typeof importMessage>;
