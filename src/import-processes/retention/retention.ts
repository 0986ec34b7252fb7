/**
 * Payload retention: what was sent is stored for the supplier's `payload_retention_days` after PROCESSED or CANCELLED, and what is
 * ERRORED or was a dry run for as many days after the supplier's Complete: until then it may be tried again. After that the payload
 * of an account is cut down to the account's own document, and any other is emptied. What is PENDING or IN_PROGRESS is never touched.
 */

import { commit, query, type Write } from '../../db';
import type { Deps } from '../../deps';
import { statusOf } from '../machine';
import { type FinishedRow, finishedProcesses, moveWalk, nextWalk, postponeWalk, reduceTo, type Walk, type WalkRow } from './store';

/** Slices of one run. */
const MAX_ROUNDS = 4;

/** What is left of the bodies of imported accounts, by process; one that is not among them stays as it is. */
export type DocumentsOf = (
  deps: Deps,
  db: D1Database,
  accounts: readonly { readonly id: number; readonly body: string }[],
) => Promise<ReadonlyMap<number, string>>;

/** Forgets what else of a supplier is over: done once a walk, so that no minute looks at every supplier for it. */
export type Forget = (deps: Deps, supplierId: number) => readonly Write[];

/** Works through a few slices of the suppliers whose walk is due. */
export async function reducePayloads(deps: Deps, documentsOf: DocumentsOf, forget: Forget): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = deps.now();
    const [walk] = await query(deps.db, nextWalk({ now }));
    if (!walk) return;
    try {
      if (!isReadable(walk)) throw new Error('payload_retention_days cannot be read');
      await reduceSlice(deps, deps.db, walk, now, documentsOf, forget);
    } catch (error) {
      deps.log.error('payloads_not_reduced', error, { supplier_id: walk.supplierId });
      await commit(deps.db, [postponeWalk(walk, now), ...forget(deps, walk.supplierId)]);
    }
  }
}

const isReadable = (walk: WalkRow): walk is Walk => Number.isInteger(walk.retentionDays);

async function reduceSlice(deps: Deps, db: D1Database, walk: Walk, now: number, documentsOf: DocumentsOf, forget: Forget): Promise<void> {
  const rows = await query(db, finishedProcesses(walk, now));
  const due = rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
  const documents = await documentsOf(deps, db, due.filter(isImported));
  const bodies = due.flatMap((row): [number, string][] => {
    const body = isImported(row) ? documents.get(row.id) : '';
    return body === undefined ? [] : [[row.id, body]];
  });
  const last = rows.at(-1);
  const onward = last ? [moveWalk(walk, last.id, now)] : [moveWalk(walk, 'end', now), ...forget(deps, walk.supplierId)];
  await commit(db, [...reduceTo(walk, bodies, now), ...onward]);
  if (bodies.length > 0) deps.log.info('payloads_reduced', { payloads: bodies.length });
}

const isImported = ({ status }: Pick<FinishedRow, 'status'>): boolean => statusOf(status) === 'PROCESSED';
