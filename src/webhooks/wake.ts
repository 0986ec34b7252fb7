import { commit } from '../db';
import type { Deps } from '../deps';
import { addCursors, markNew, moveWalk, waitingCursors } from './store-deliveries';

/** Messages of one run; the next goes on. A queue takes a hundred at once. */
const MAX_MESSAGES = 100;

/** Looks at the events that came since the last time, and sends a message for each webhook and supplier that something waits for. */
export async function wakeWebhooks(deps: Deps): Promise<void> {
  const [, , , waiting] = await commit(deps.db, [
    addCursors({ id: null }),
    markNew({}),
    moveWalk({}),
    waitingCursors({ now: deps.now(), limit: MAX_MESSAGES }),
  ]);
  if (waiting.length === 0) return;
  const messages = waiting.map(({ webhookId, supplierId }) => ({ v: 1 as const, webhook_id: webhookId, supplier_id: supplierId }));
  await deps.webhookDeliveries.sendBatch(messages.map((body) => ({ body })));
}
