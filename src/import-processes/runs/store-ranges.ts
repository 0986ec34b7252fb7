/**
 * Between which ids the processes of a run lie: it is read along the key of its supplier, from the first to the last of them.
 */
import { db, eq, field, prepared, type Query, type RowValues, rowsOf, runs, sql, type Values } from '../../db';
import { lastId } from '../stage/store-known';
import type { StagingWrite } from '../stage/store-replacing';

/** The end of the range moves by so many ids at once: one write of the run for that many accounts. */
const STEP = 10_000;

const joined = rowsOf('joined', {
  runId: runs.id,
  /** Of processes that were there before; null where all are new. */
  from: field<number | null>(),
  to: field<number | null>(),
  /** How many of the batch are new, whatever their run: new ones get the ids after the last. */
  news: field<number>(),
});

/** Comes before the payloads of the same batch, which move the last id. Ranges may be wider than what they hold, never narrower. */
const WIDEN = prepared(($: Values<{ joined: RowValues<typeof joined> }>) => {
  const { row } = joined;
  const from = sql`min(coalesce(${row.from}, ${lastId()} + 1), iif(${row.news}, ${lastId()} + 1, coalesce(${row.from}, 0)))`;
  const to = sql`max(coalesce(${row.to}, 0), iif(${row.news}, ${lastId()} + ${row.news}, 0))`;
  return db
    .update(runs)
    .set({
      firstId: sql`min(coalesce(${runs.firstId}, ${from}), ${from})`,
      lastId: sql`max(coalesce(${runs.lastId}, 0), ((${to}) / ${STEP} + 1) * ${STEP})`,
    })
    .from(joined.from($.joined))
    .where(sql`${eq(runs.id, row.runId)} AND (${runs.firstId} IS NULL OR ${runs.firstId} > ${from} OR ${runs.lastId} < ${to})`);
});

/** Widens the runs that these accounts join; nothing where none joins one. */
export function widenRuns(writes: readonly StagingWrite[]): readonly Query<never>[] {
  const members = writes.flatMap(({ account, replaced }) => (account.runId ? [{ runId: account.runId, id: replaced?.id }] : []));
  if (members.length === 0) return [];
  const news = writes.filter(({ replaced }) => replaced === undefined).length;
  const rows = [...Map.groupBy(members, ({ runId }) => runId)].map(([runId, own]) => {
    const ids = own.flatMap(({ id }) => id ?? []);
    return {
      runId,
      from: ids.length > 0 ? Math.min(...ids) : null,
      to: ids.length > 0 ? Math.max(...ids) : null,
      news: own.some(({ id }) => id === undefined) ? news : 0,
    };
  });
  return [WIDEN({ joined: joined.value(rows) })];
}
