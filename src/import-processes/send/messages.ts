/**
 * Processes into messages: one for each 500 processes or 2.8 MB of one supplier, and one for each process that travels alone.
 * Pure but for the send.
 */
import type { Deps } from '../../deps';
import type { ImportMessage } from '../../queues/messages';

const MAX_PROCESSES = 500;
const MAX_BYTES = 2_800_000;
const MESSAGES_PER_SEND = 100;

export interface Sendable {
  readonly supplierId: number;
  readonly id: number;
  readonly payloadBytes: number;
  readonly isAlone?: boolean;
}

/** `now` in Unix milliseconds; messages of the suppliers in `withMore` say that more may follow. */
export function messagesOf(processes: readonly Sendable[], now: number, withMore: ReadonlySet<number> = new Set()): ImportMessage[] {
  const open = new Map<number, { ids: number[]; bytes: number }>();
  const messages: ImportMessage[] = [];
  const begin = (supplierId: number, ids: number[], rest: Partial<ImportMessage>): void => {
    const more = withMore.has(supplierId) ? { has_more: true } : {};
    messages.push({ v: 1, supplier_id: supplierId, process_ids: ids, sent_at: now, ...more, ...rest });
  };
  for (const { supplierId, id, payloadBytes, isAlone } of processes) {
    if (isAlone) {
      begin(supplierId, [id], { is_alone: true });
      continue;
    }
    let chunk = open.get(supplierId);
    if (chunk && (chunk.ids.length >= MAX_PROCESSES || chunk.bytes + payloadBytes > MAX_BYTES)) chunk = undefined;
    if (!chunk) {
      chunk = { ids: [], bytes: 0 };
      open.set(supplierId, chunk);
      begin(supplierId, chunk.ids, {});
    }
    chunk.ids.push(id);
    chunk.bytes += payloadBytes;
  }
  return messages;
}

/**
 * Sends the processes to the queue, in messages dated `at` (Unix milliseconds; now) that say of which suppliers more may follow.
 * Answers how many messages wait there, as far as the queue knows. It may throw: the rows are the outbox, and the sweep sends again
 * what was lost.
 */
export async function sendImports(
  deps: Deps,
  processes: readonly Sendable[],
  { at = deps.now(), withMore }: { readonly at?: number; readonly withMore?: ReadonlySet<number> } = {},
): Promise<number> {
  const messages = messagesOf(processes, at, withMore);
  let waiting = 0;
  for (let from = 0; from < messages.length; from += MESSAGES_PER_SEND) {
    const batch = messages.slice(from, from + MESSAGES_PER_SEND).map((body) => ({ body }));
    // A runtime that does not count answers nothing.
    const answer: QueueSendBatchResponse | undefined = await deps.accountImports.sendBatch(batch);
    waiting = answer?.metadata?.metrics?.backlogCount ?? 0;
  }
  return waiting;
}
