/**
 * What brings a restore to its end. The row of `restores` and the empty payload past the ids that may have been given come together.
 */
import { AUDITED } from '../../audit';
import { type RowOf, type Statement, statement, type Write } from '../../db';

/** The largest id given. */
export const lastId = (): Statement<{ last_id: number | null }> => statement('SELECT max(id) AS last_id FROM payloads');

/** When the newest process of any supplier was staged first: ids are in commit order, so that of its largest id. */
export const newestStaged = (): Statement<{ created_at: number | null }> =>
  statement(
    `SELECT max(p.created_at) AS created_at FROM suppliers s CROSS JOIN import_processes p ON p.supplier_id = s.id
       AND p.id = (SELECT max(o.id) FROM import_processes o WHERE o.supplier_id = s.id)`,
  );

/** Finds a row until a restore of that epoch was brought to its end: what the audit entry asks. */
export const unfinished = (epoch: number): Statement =>
  statement('SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM restores WHERE epoch >= ?)', epoch);

export type NewRestore = RowOf<'restores', 'epoch' | 'restored_to' | 'finished_at' | 'last_id'>;

/** More changes than a supplier has seen in its life. */
const VERSIONS = 1_000_000;

/**
 * Raises the ids; raises the versions of suppliers, because isolates remember those that were counted before and would meet them
 * again; and forgets the refresh tokens, because those spent since the moment restored to would be good again.
 */
export const finishRestore = (auditId: number, restore: NewRestore): readonly [Write, Write, Write, Write] => [
  statement(
    `INSERT INTO restores (epoch, restored_to, finished_at, last_id) SELECT ?2, ?3, ?4, ?5 WHERE ${AUDITED} ON CONFLICT (epoch) DO NOTHING`,
    auditId,
    restore.epoch,
    restore.restored_to,
    restore.finished_at,
    restore.last_id,
  ),
  statement(
    `INSERT INTO payloads (id, body, reduced_at) SELECT ?2, '', ?3 WHERE ${AUDITED} ON CONFLICT (id) DO NOTHING`,
    auditId,
    restore.last_id,
    restore.finished_at,
  ),
  statement(`UPDATE suppliers SET version = version + ${VERSIONS} WHERE ${AUDITED}`, auditId),
  statement(`DELETE FROM refresh_tokens WHERE ${AUDITED}`, auditId),
];
