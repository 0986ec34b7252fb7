/**
 * Processes into messages: one for each 500 processes or 2.8 MB of one supplier. Pure but for the send.
 */
import type { Deps } from '../deps';
import type { ImportMessage } from '../queues/messages';

const MAX_PROCESSES = 500;
const MAX_BYTES = 2_800_000;
const MESSAGES_PER_SEND = 100;

export interface Sendable {
  readonly supplierId: number;
  readonly id: number;
  readonly payloadBytes: number;
}

/** `now` in Unix milliseconds. */
export function messagesOf(processes: readonly Sendable[], now: number): ImportMessage[] {
  const open = new Map<number, { ids: number[]; bytes: number }>();
  const messages: ImportMessage[] = [];
  for (const { supplierId, id, payloadBytes } of processes) {
    let chunk = open.get(supplierId);
    if (chunk && (chunk.ids.length >= MAX_PROCESSES || chunk.bytes + payloadBytes > MAX_BYTES)) chunk = undefined;
    if (!chunk) {
      chunk = { ids: [], bytes: 0 };
      open.set(supplierId, chunk);
      messages.push({ v: 1, supplier_id: supplierId, process_ids: chunk.ids, sent_at: now });
    }
    chunk.ids.push(id);
    chunk.bytes += payloadBytes;
  }
  return messages;
}

/**
 * Sends the processes to the queue, dated `at` (Unix milliseconds). It may throw: the rows are the outbox, and the sweep sends
 * again what was lost.
 */
export async function sendImports(deps: Deps, processes: readonly Sendable[], at = deps.now()): Promise<void> {
  const messages = messagesOf(processes, at);
  for (let from = 0; from < messages.length; from += MESSAGES_PER_SEND) {
    await deps.accountImports.sendBatch(messages.slice(from, from + MESSAGES_PER_SEND).map((body) => ({ body })));
  }
}
