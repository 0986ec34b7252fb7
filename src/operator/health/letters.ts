/**
 * What the queue gave up on: looked at, tried again, or put away.
 */
import { type AuditAction, auditEntry, auditId, auditValues } from '../../audit';
import { commit, type Page, type PageQuery, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { type LeftOutRow, leftOutOf, retryProcesses, sendNow } from '../../import-processes';
import { type ImportMessage, importMessage } from '../../queues/messages';
import {
  auditDismissal,
  auditRedrive,
  type DeadLetterRow,
  deadLetterById,
  deadLetterPage,
  erroredOf,
  markDismissed,
  markRedriven,
} from './store';

/** A message that ran out of tries. */
export interface DeadLetter extends Omit<DeadLetterRow, 'message' | 'supplierStatus'> {
  /** Import processes the message named; 0 if it could not be read. */
  readonly processes: number;
}

/** Newest first. */
export async function listDeadLetters(deps: Deps, page: PageQuery): Promise<Page<DeadLetter>> {
  const found = await readPage(deps.db, page, {
    rows: (limit, cursor) => deadLetterPage({ limit, cursor: cursor ?? null }),
    named: (messageId) => deadLetterById({ messageId }),
    cursorOf: ({ messageId }) => messageId,
  });
  return found.kind === 'page' ? { ...found, rows: found.rows.map(letterOf) } : found;
}

const letterOf = ({ message, supplierStatus: _, ...row }: DeadLetterRow): DeadLetter => ({
  ...row,
  processes: messageOf(message)?.process_ids.length ?? 0,
});

type Refused = { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly detail: string };
export type Redriven = { readonly kind: 'redriven'; readonly retried: number; readonly leftOut: LeftOutRow | undefined } | Refused;
export type Dismissed = { readonly kind: 'dismissed'; readonly letter: DeadLetter } | Refused;

const TRIES = 3;

/**
 * Retries what a dead letter named and is still ERRORED, and sends it at once; what cannot start is left out and counted. It
 * asks what a retry asks: the supplier is not Complete, and not every window is over.
 */
export async function redrive(deps: Deps, actor: string, messageId: string): Promise<Redriven> {
  for (let tries = 1; ; tries++) {
    const outcome = await decideAndRedrive(deps, actor, messageId);
    if (outcome.kind !== 'changed_meanwhile') return outcome;
    if (tries === TRIES) throw new Error('the dead letter kept changing');
  }
}

async function decideAndRedrive(deps: Deps, actor: string, messageId: string): Promise<Redriven | { readonly kind: 'changed_meanwhile' }> {
  const [letter] = await query(deps.db, deadLetterById({ messageId }));
  if (!letter) return { kind: 'not_found' };
  const message = messageOf(letter.message);
  const now = deps.now();
  const refusal = closedRefusal(letter) ?? (await redriveRefusal(deps, letter, message, now));
  if (refusal || !message) return refusal ?? unreadable;
  const audit = letterAudit(deps, actor, 'dead_letter.redriven', letter, message);
  const [[leftOut], , , , , retried, written] = await commit(deps.db, [
    leftOutOf(message.supplier_id, message.process_ids, now),
    auditRedrive({ ...auditValues(audit), messageId, supplierId: message.supplier_id }),
    markRedriven({ auditId: audit.id, messageId, now }),
    ...retryProcesses({ auditId: audit.id, supplierId: message.supplier_id, ids: message.process_ids, code: undefined }, now),
    auditEntry({ auditId: audit.id }),
  ]);
  if (written.length === 0) return { kind: 'changed_meanwhile' };
  const keys = retried.map(({ id }) => ({ supplierId: message.supplier_id, id }));
  deps.afterReply('send_imports', sendNow(deps, deps.db, keys));
  return { kind: 'redriven', retried: retried.length, leftOut };
}

/** Puts a dead letter away; the processes it named stay as they are. */
export async function dismiss(deps: Deps, actor: string, messageId: string): Promise<Dismissed> {
  const [letter] = await query(deps.db, deadLetterById({ messageId }));
  if (!letter) return { kind: 'not_found' };
  const audit = letterAudit(deps, actor, 'dead_letter.dismissed', letter, messageOf(letter.message));
  const [, , written, [now]] = await commit(deps.db, [
    auditDismissal({ ...auditValues(audit), messageId }),
    markDismissed({ auditId: audit.id, messageId, now: deps.now() }),
    auditEntry({ auditId: audit.id }),
    deadLetterById({ messageId }),
  ]);
  if (!now) return { kind: 'not_found' };
  return written.length > 0 ? { kind: 'dismissed', letter: letterOf(now) } : (closedRefusal(now) ?? gone);
}

function letterAudit(deps: Deps, actor: string, action: AuditAction, letter: DeadLetterRow, message: ImportMessage | undefined) {
  const after = { supplier: letter.supplierCode, processes: message?.process_ids.length ?? 0 };
  const subject = `dead letter ${letter.messageId}`;
  return { id: auditId(deps), occurredAt: deps.now(), actor, action, subject, supplier: letter.supplierCode ?? undefined, after };
}

const refused = (detail: string) => ({ kind: 'refused', detail }) as const;
const unreadable = refused('The message could not be read, so there is nothing to re-drive. Dismiss it.');
const gone = refused('The dead letter was changed meanwhile.');

const closedRefusal = ({ redrivenAt, dismissedAt }: DeadLetterRow) =>
  redrivenAt !== null
    ? refused('The dead letter was re-driven before.')
    : dismissedAt !== null
      ? refused('The dead letter was dismissed before.')
      : undefined;

async function redriveRefusal(deps: Deps, letter: DeadLetterRow, message: ImportMessage | undefined, now: number) {
  if (!message) return unreadable;
  if (letter.supplierCode === null) return refused('The message names no supplier that is there. Dismiss it.');
  if (letter.supplierStatus === 'Complete') return refused('The supplier is Complete: make it Ongoing first.');
  const [counts] = await query(deps.db, erroredOf(message.supplier_id, message.process_ids, now));
  const isOver = counts !== undefined && counts.errored > 0 && counts.errored === counts.over;
  return isOver ? refused('The window of its import processes is over: the importer has to create them again.') : undefined;
}

function messageOf(text: string): ImportMessage | undefined {
  try {
    return importMessage.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON.
    return undefined;
  }
}
