/**
 * The end of a restore (D1 Time Travel): new accounts come in again, under ids that were never given before.
 */
import { auditEntry, auditId, auditValues } from '../../audit';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { DATABASE_LIMIT_BYTES, epochWanted, latestRestore } from '../../health';
import { instantOf, isoInstant } from '../../shared/dates';
import { type FieldError, fieldError } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { decideRestore } from './rules';
import { restoreBody } from './schema';
import { auditRestore, finishRestore, lastId, newestStaged } from './store';

export type RestoreFinished =
  | { readonly kind: 'finished'; readonly epoch: number; readonly lastId: number }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'refused'; readonly detail: string };

export async function finishRestored(deps: Deps, actor: string, raw: unknown): Promise<RestoreFinished> {
  const { draft, errors } = parse(restoreBody, raw);
  const restoredTo = draft.restored_to === undefined ? undefined : instantOf(draft.restored_to);
  if (restoredTo !== undefined && restoredTo > deps.now()) errors.push(inTheFuture);
  if (errors.length > 0 || restoredTo === undefined) return { kind: 'invalid', errors };
  const [[last], [newest], [latest]] = await commit(deps.db, [lastId({}), newestStaged({}), latestRestore({})]);
  const epoch = epochWanted(deps);
  const decision = decideRestore(
    { lastId: last?.lastId ?? 0, epoch: latest?.epoch ?? 0, newestStagedAt: newest?.createdAt ?? undefined },
    {
      epochWanted: epoch,
      restoredTo,
      notedLastId: draft.last_id ?? undefined,
      limitBytes: Number(deps.env.DATABASE_LIMIT_BYTES ?? DATABASE_LIMIT_BYTES),
    },
  );
  if (decision.kind === 'refused') return decision;
  const [id, now] = [auditId(deps), deps.now()];
  const entry = {
    id,
    occurredAt: now,
    actor,
    action: 'database.restored',
    subject: 'database',
    after: { epoch, restored_to: isoInstant(restoredTo), last_id: decision.lastId },
  } as const;
  const [, , , , , audited] = await commit(deps.db, [
    auditRestore({ ...auditValues(entry), epoch }),
    ...finishRestore({ auditId: id, epoch, restoredTo, finishedAt: now, lastId: decision.lastId }),
    auditEntry({ auditId: id }),
  ]);
  // Somebody else has done it in between.
  if (audited.length === 0) return { kind: 'refused', detail: 'The restore was brought to its end before.' };
  return { kind: 'finished', epoch, lastId: decision.lastId };
}

const inTheFuture = fieldError(['restored_to'], 'invalid', 'Enter a moment that is over.');
