/**
 * The statements of payload retention: a slow walk over finished processes, supplier by supplier.
 */
import {
  and,
  asc,
  db,
  eq,
  gt,
  importProcesses,
  inArray,
  isNull,
  jsonText,
  lte,
  or,
  payloads,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  sql,
  suppliers,
  type Values,
  type Write,
} from '../../db';
import { DAY_MILLISECONDS } from '../../shared/dates';
import { MEBIBYTE } from '../../shared/sizes';
import { DEFAULT_SETTINGS } from '../../suppliers';
import { STATUS } from '../machine';
import { isProcessOf } from '../store-conditions';

/** Processes looked at, and bytes of payload read, in one run. */
const WALK = 1_000;
const MAX_BYTES = 4 * MEBIBYTE;

/** The supplier whose walk is due longest. Its days are null where its configuration cannot be read: nothing is reduced on a guess. */
export const nextWalk = prepared(($: Values<{ now: number }>) => {
  const days = sql`coalesce(${suppliers.configuration} ->> 'payload_retention_days', ${DEFAULT_SETTINGS.payload_retention_days})`;
  return db
    .select({
      supplierId: suppliers.id,
      cursor: suppliers.retentionCursor,
      retentionDays: sql<unknown>`iif(json_valid(${suppliers.configuration}), ${days}, NULL)`,
    })
    .from(suppliers)
    .where(lte(suppliers.retentionNextAt, $.now))
    .orderBy(asc(suppliers.retentionNextAt), asc(suppliers.id))
    .limit(1);
});

export type WalkRow = RowOfQuery<ReturnType<typeof nextWalk>>;

/** A walk whose supplier says for how long payloads are stored. */
export type Walk = WalkRow & { readonly retentionDays: number };

/**
 * True if it ended before that moment: PROCESSED and CANCELLED by themselves; what has no account, but could be tried again, with its
 * supplier's Complete.
 */
const isDue = ({ endedBy }: Values<{ endedBy: number }>) => {
  const { status } = importProcesses;
  const isWithSupplier = and(
    inArray(status, [STATUS.ERRORED, STATUS.DRY_RUN_SUCCEEDED, STATUS.DRY_RUN_ERRORED]),
    eq(suppliers.status, 'Complete'),
    lte(sql`coalesce(${suppliers.completedAt}, ${suppliers.modifiedAt})`, endedBy),
  );
  return sql<number>`iif(${inArray(status, [STATUS.PROCESSED, STATUS.CANCELLED])}, ${lte(importProcesses.finishedAt, endedBy)}, ${isWithSupplier})`;
};

const FINISHED = prepared(($: Values<{ supplierId: number; cursor: number; endedBy: number }>) => {
  const walked = db
    .select({
      id: importProcesses.id,
      status: importProcesses.status,
      payloadBytes: importProcesses.payloadBytes,
      isDue: isDue($).as('is_due'),
    })
    .from(suppliers)
    .crossJoin(importProcesses)
    .where(and(eq(suppliers.id, $.supplierId), eq(importProcesses.supplierId, suppliers.id), gt(importProcesses.id, $.cursor)))
    .orderBy(importProcesses.id)
    .limit(WALK)
    .as('walked');
  const summed = db
    .select({
      id: walked.id,
      status: walked.status,
      body: payloads.body,
      bytesSoFar: sql<number>`sum(iif(${walked.isDue}, ${walked.payloadBytes}, 0)) OVER (ORDER BY ${walked.id})`.as('bytes_so_far'),
    })
    .from(walked)
    .leftJoin(payloads, and(eq(payloads.id, walked.id), sql`${walked.isDue}`, isNull(payloads.reducedAt)))
    .as('summed');
  return db
    .select({ id: summed.id, status: summed.status, body: summed.body })
    .from(summed)
    .where(or(lte(summed.bytesSoFar, MAX_BYTES), eq(summed.id, sql`${$.cursor} + 1`)))
    .orderBy(summed.id);
});

export type FinishedRow = RowOfQuery<ReturnType<typeof FINISHED>>;

const endedBy = (walk: Walk, now: number): number => now - walk.retentionDays * DAY_MILLISECONDS;

/** The next processes of the walk; a body only where it is to be reduced. */
export const finishedProcesses = (walk: Walk, now: number) =>
  FINISHED({ supplierId: walk.supplierId, cursor: walk.cursor, endedBy: endedBy(walk, now) });

const reduced = rowsOf('reduced', { supplierId: importProcesses.supplierId, id: importProcesses.id, body: jsonText() });

const REDUCE = prepared(($: Values<{ reduced: RowValues<typeof reduced>; now: number; endedBy: number }>) =>
  db
    .update(payloads)
    .set({ body: sql`coalesce(${reduced.row.body}, '')`, reducedAt: $.now })
    .from(sql`${reduced.from($.reduced)} CROSS JOIN ${importProcesses} CROSS JOIN ${suppliers}`)
    .where(
      and(
        eq(payloads.id, reduced.row.id),
        isNull(payloads.reducedAt),
        isProcessOf(reduced.row),
        eq(suppliers.id, importProcesses.supplierId),
        // The condition that made it due is repeated: it may have been scheduled again since, perhaps with another payload.
        isDue($),
      ),
    ),
);

/** Replaces bodies, where they are still due. Each is JSON text, or '' where nothing is left. */
export const reduceTo = (walk: Walk, bodies: readonly (readonly [id: number, body: string])[], now: number): Write[] =>
  reduced
    .values(bodies.map(([id, body]) => ({ supplierId: walk.supplierId, id, body: body === '' ? null : body })))
    .map((value) => REDUCE({ reduced: value, now, endedBy: endedBy(walk, now) }));

/** How long a walk rests that failed. */
const HOUR_MILLISECONDS = 3_600_000;

const POSTPONE = prepared(($: Values<{ supplierId: number; nextAt: number }>) =>
  db.update(suppliers).set({ retentionNextAt: $.nextAt }).where(eq(suppliers.id, $.supplierId)),
);

/** Lets a walk that failed wait where it is, so that it keeps no other supplier's from going on. */
export const postponeWalk = ({ supplierId }: WalkRow, now: number): Write => POSTPONE({ supplierId, nextAt: now + HOUR_MILLISECONDS });

const MOVE = prepared(($: Values<{ supplierId: number; cursor: number }>) =>
  db.update(suppliers).set({ retentionCursor: $.cursor }).where(eq(suppliers.id, $.supplierId)),
);
const REST = prepared(($: Values<{ supplierId: number; nextAt: number }>) =>
  db.update(suppliers).set({ retentionCursor: 0, retentionNextAt: $.nextAt }).where(eq(suppliers.id, $.supplierId)),
);

/** Remembers how far the walk came; at the end it rests for a day and begins again. */
export const moveWalk = ({ supplierId }: WalkRow, cursor: number | 'end', now: number): Write =>
  cursor === 'end' ? REST({ supplierId, nextAt: now + DAY_MILLISECONDS }) : MOVE({ supplierId, cursor });
