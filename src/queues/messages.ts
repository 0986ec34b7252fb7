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
  /** More of the supplier's may wait to be sent: whoever has consumed this message sends the next ones. */
  has_more: z.boolean().optional(),
  /** Leases of its one process ran out before: it is worked on apart from all others, which what kills a consumer must not take along. */
  is_alone: z.boolean().optional(),
});
export type ImportMessage = z.output<typeof importMessage>;

/** Events of a supplier wait for a webhook. */
export const deliveryMessage = z.object({ v: z.literal(1), webhook_id: z.string(), supplier_id: z.int().positive() });
export type DeliveryMessage = z.output<typeof deliveryMessage>;
