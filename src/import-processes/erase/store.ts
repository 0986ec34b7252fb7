import { isAudited } from '../../audit';
import { and, db, eq, importProcesses, isNull, prepared, sql, type Values } from '../../db';

interface Erased {
  readonly supplierId: number;
  readonly id: number;
  /** The entry in the same batch: without it nothing is erased. */
  readonly auditId: number;
  readonly now: number;
}

/**
 * Marks a process as erased (§10), and takes from it what says something of its payload: the digest, because it would confirm a
 * guessed text, and the places of its errors, which its importer may have named.
 */
export const markErased = prepared(($: Values<Erased>) =>
  db
    .update(importProcesses)
    .set({ erasedAt: $.now, payloadHash: '', error: sql`json_remove(${importProcesses.error}, '$.errors')` })
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        eq(importProcesses.id, $.id),
        isNull(importProcesses.erasedAt),
        isAudited($.auditId),
      ),
    ),
);
