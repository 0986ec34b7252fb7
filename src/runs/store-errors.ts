/**
 * The statement that counts what of a run errored, by what was wrong.
 */
import { and, db, desc, eq, gte, importProcesses, indexedBy, lte, prepared, type RowOfQuery, runs, sql, type Values } from '../db';
import { isOpenEntry, OPEN_INDEX, STATUS } from '../import-processes';

/** Errored processes that are looked at, the newest, and kinds of errors that are told. */
const [LOOKS, MAX_KINDS] = [20_000, 50];

/** Of the errored processes of a run: codes with their places, or the code of the error where no field was wrong; how many have each. */
export const errorsOfRun = prepared(($: Values<{ id: number }>) => {
  const looked = db
    .select({ id: sql<number>`${importProcesses.id}`.as('looked_id'), error: sql<string>`${importProcesses.error}`.as('looked_error') })
    .from(runs)
    .crossJoin(indexedBy(importProcesses, OPEN_INDEX))
    .where(
      and(
        eq(runs.id, $.id),
        isOpenEntry(importProcesses, sql`${runs.supplierId}`, STATUS.ERRORED),
        gte(importProcesses.id, runs.firstId),
        lte(importProcesses.id, runs.lastId),
        eq(importProcesses.runId, runs.id),
      ),
    )
    .orderBy(desc(importProcesses.id))
    .limit(LOOKS)
    .as('looked');
  return sql<{ code: string; attr: string; accounts: number }>`SELECT coalesce(item.value ->> 'code', looked_error ->> 'code') AS "code",
    coalesce(item.value ->> 'attr', '') AS "attr", count(DISTINCT looked_id) AS "accounts"
    FROM ${looked} LEFT JOIN json_each(looked_error, '$.errors') AS item GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${MAX_KINDS}`;
});

export type RunErrorRow = RowOfQuery<ReturnType<typeof errorsOfRun>>;
