/**
 * Is the queue moving, and what has it given up on?
 */
import { auditId, auditWrite } from '../../audit';
import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import { type LeftOutRow, leftOutOf, retryProcesses, sendNow } from '../../import-processes';
import { importMessage } from '../../queues/messages';
import { auditKept } from '../suppliers/store';
import {
  type DeadLetterRow,
  deadLetterById,
  deadLetterPage,
  expiredLeases,
  markRedriven,
  type OldestRow,
  oldestPending,
  openDeadLetter,
  openDeadLetters,
} from './store';

export interface QueueHealth {
  readonly oldestPending: OldestRow | undefined;
  readonly expiredLeases: number;
  /** Dead letters that were not re-driven. */
  readonly deadLetters: number;
}

export async function readHealth(deps: Deps): Promise<QueueHealth> {
  const [[oldest], [leases], [letters]] = await commit(deps.db, [oldestPending(deps.now()), expiredLeases(deps.now()), openDeadLetters()]);
  return { oldestPending: oldest, expiredLeases: leases?.count ?? 0, deadLetters: letters?.count ?? 0 };
}

/** A message that ran out of tries. */
export interface DeadLetter extends Omit<DeadLetterRow, 'message'> {
  /** Import processes the message named; 0 if it could not be read. */
  readonly processes: number;
}

export interface DeadLetterPage {
  readonly letters: readonly DeadLetter[];
  readonly cursor: string | undefined;
}

export async function listDeadLetters(deps: Deps, limit: number, cursor?: string): Promise<DeadLetterPage> {
  const rows = await query(deps.db, deadLetterPage(limit + 1, cursor));
  const letters = rows.slice(0, limit).map(({ message, ...row }) => ({ ...row, processes: messageOf(message)?.process_ids.length ?? 0 }));
  return { letters, cursor: rows.length > limit ? letters.at(-1)?.message_id : undefined };
}

export type Redriven =
  | { readonly kind: 'redriven'; readonly retried: number; readonly leftOut: LeftOutRow | undefined }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Retries what a dead letter named and is still ERRORED, and sends it at once; what cannot start is left out and counted. */
export async function redrive(deps: Deps, actor: string, messageId: string): Promise<Redriven> {
  const [letter] = await query(deps.db, deadLetterById(messageId));
  if (!letter) return { kind: 'not_found' };
  if (letter.redriven_at !== null) return { kind: 'refused', detail: 'The dead letter was re-driven before.' };
  const message = messageOf(letter.message);
  if (!message) return { kind: 'refused', detail: 'The message could not be read, so there is nothing to re-drive.' };
  const [id, now] = [auditId(deps), deps.now()];
  const entry = {
    id,
    occurredAt: now,
    actor,
    action: 'dead_letter.redriven',
    subject: `dead letter ${messageId}`,
    after: { supplier: letter.supplier_code, processes: message.process_ids.length },
  } as const;
  const [[leftOut], , , , retried, kept] = await commit(deps.db, [
    leftOutOf(message.supplier_id, message.process_ids, now),
    auditWrite(entry, openDeadLetter(messageId)),
    markRedriven(id, messageId, now),
    ...retryProcesses(message.supplier_id, message.process_ids, now),
    auditKept(id),
  ]);
  if (kept.length === 0) return { kind: 'refused', detail: 'The dead letter was re-driven before.' };
  const keys = retried.map(({ id: processId }) => ({ supplierId: message.supplier_id, id: processId }));
  deps.afterReply('send_imports', sendNow(deps, deps.db, keys));
  return { kind: 'redriven', retried: retried.length, leftOut };
}

function messageOf(json: string) {
  return importMessage.safeParse(JSON.parse(json)).data;
}
