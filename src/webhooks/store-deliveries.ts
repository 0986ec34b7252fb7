/** How far each webhook came with each supplier, and who sends right now. */
import {
  and,
  asc,
  db,
  eq,
  events,
  exists,
  insertSelect,
  limitOf,
  lt,
  lte,
  notExists,
  or,
  prepared,
  type RowOfQuery,
  type SQL,
  sql,
  suppliers,
  type Values,
  webhookCursors,
  webhooks,
  webhookWalk,
} from '../db';

/** Rows of events that one walk looks at; the next goes on. */
const MAX_LOOKS = 10_000;

/** Cursors that are missing: of the webhook with that id, or of all where it is null. They begin behind the webhook's first event. */
export const addCursors = prepared(($: Values<{ id: string | null }>) =>
  insertSelect(
    webhookCursors,
    {
      supplierId: sql<number>`${suppliers.id}`,
      webhookId: sql<string>`${webhooks.id}`,
      afterId: sql<number>`${webhooks.startId}`,
      newestId: sql<number>`(SELECT max(${events.id}) FROM ${events})`,
      attempts: 0,
      nextAt: 0,
      claim: 0,
      claimedUntil: 0,
    },
    sql`FROM ${webhooks} CROSS JOIN ${suppliers}
      WHERE (${$.id} IS NULL OR ${webhooks.id} = ${$.id}) AND ${eq(suppliers.organisationId, webhooks.organisationId)}
        AND (${webhooks.supplierCodes} IS NULL OR ${suppliers.code} IN (SELECT value FROM json_each(${webhooks.supplierCodes})))
        AND ${notExists(
          db
            .select({ id: webhookCursors.webhookId })
            .from(webhookCursors)
            .where(and(eq(webhookCursors.supplierId, suppliers.id), eq(webhookCursors.webhookId, webhooks.id))),
        )}`,
  ).onConflictDoNothing(),
);

/** Where the walk goes on: events up to a webhook's beginning are none of its own. No row without webhooks. */
const walkFrom = (): SQL => sql`(SELECT max(${webhookWalk.afterId}, min(${webhooks.startId})) FROM ${webhooks} CROSS JOIN ${webhookWalk})`;

const walked = (): SQL => sql`(SELECT ${events.id} AS id, ${events.supplierId} AS supplier_id, ${events.occurredAt} AS occurred_at
  FROM ${events} WHERE ${events.id} > ${walkFrom()} ORDER BY ${events.id} LIMIT ${MAX_LOOKS})`;

/** Marks the cursors for which events came since the last walk. */
export const markNew = prepared(
  () => sql<never>`UPDATE ${webhookCursors} SET newest_id = max(newest_id, came.last_id), waiting_since = coalesce(waiting_since, came.first_at)
    FROM (SELECT supplier_id AS of_supplier, max(id) AS last_id, min(occurred_at) AS first_at FROM ${walked()} GROUP BY supplier_id) AS came
    WHERE ${webhookCursors.supplierId} = came.of_supplier AND ${webhookCursors.afterId} < came.last_id`,
);

/** The walk itself goes on, in the batch of {@link markNew}, behind it. */
export const moveWalk = prepared(
  () => sql<never>`UPDATE ${webhookWalk} SET after_id = came.last_id FROM (SELECT max(id) AS last_id FROM ${walked()}) AS came
    WHERE came.last_id > ${webhookWalk.afterId}`,
);

/** Whom something waits for, that nobody sends and whose time has come; who was served longest ago comes first. */
export const waitingCursors = prepared(($: Values<{ now: number; limit: number }>) =>
  db
    .select({ supplierId: webhookCursors.supplierId, webhookId: webhookCursors.webhookId })
    .from(webhookCursors)
    .innerJoin(webhooks, eq(webhooks.id, webhookCursors.webhookId))
    .where(
      and(
        lt(webhookCursors.afterId, webhookCursors.newestId),
        eq(webhooks.isEnabled, 1),
        lte(webhookCursors.nextAt, $.now),
        lte(webhookCursors.claimedUntil, $.now),
      ),
    )
    .orderBy(asc(webhookCursors.claimedUntil))
    .limit(limitOf($.limit)),
);

export interface CursorKey {
  readonly supplierId: number;
  readonly webhookId: string;
}

interface Claimed extends CursorKey {
  readonly claim: number;
}

const isCursor = ($: Values<CursorKey>) => and(eq(webhookCursors.supplierId, $.supplierId), eq(webhookCursors.webhookId, $.webhookId));
const isClaimed = ($: Values<Claimed>) => and(isCursor($), eq(webhookCursors.claim, $.claim));

/** Claims the cursor, unless somebody sends, its time has not come, or the webhook is disabled. */
export const claimCursor = prepared(($: Values<Claimed & { now: number; until: number }>) =>
  db
    .update(webhookCursors)
    .set({ claim: $.claim, claimedUntil: $.until })
    .where(
      and(
        isCursor($),
        or(eq(webhookCursors.claim, $.claim), lte(webhookCursors.claimedUntil, $.now)),
        lte(webhookCursors.nextAt, $.now),
        exists(
          db
            .select({ id: webhooks.id })
            .from(webhooks)
            .where(and(eq(webhooks.id, $.webhookId), eq(webhooks.isEnabled, 1))),
        ),
      ),
    ),
);

/** What is sent where, as it is now. No row: the claim is lost, or the webhook is disabled. */
export const claimedCursor = prepared(($: Values<Claimed>) =>
  db
    .select({
      afterId: webhookCursors.afterId,
      attempts: webhookCursors.attempts,
      failingSince: webhookCursors.failingSince,
      url: webhooks.url,
      types: webhooks.types,
      generation: webhooks.generation,
      rotatedAt: webhooks.rotatedAt,
    })
    .from(webhookCursors)
    .innerJoin(webhooks, eq(webhooks.id, webhookCursors.webhookId))
    .innerJoin(suppliers, and(eq(suppliers.id, webhookCursors.supplierId), eq(suppliers.organisationId, webhooks.organisationId)))
    .where(and(isClaimed($), eq(webhooks.isEnabled, 1))),
);

export type ClaimedRow = RowOfQuery<ReturnType<typeof claimedCursor>>;

/** Events up to `afterId` were taken or passed. The claim goes on until `until`. */
export const advanceCursor = prepared(($: Values<Claimed & { afterId: number; occurredAt: number; until: number }>) =>
  db
    .update(webhookCursors)
    .set({
      afterId: $.afterId,
      waitingSince: sql`iif(${$.afterId} < ${webhookCursors.newestId}, max(${webhookCursors.waitingSince}, ${$.occurredAt}), NULL)`,
      attempts: 0,
      failingSince: null,
      claimedUntil: $.until,
    })
    .where(isClaimed($)),
);

/** Others may claim it again. */
export const releaseCursor = prepared(($: Values<Claimed & { now: number }>) =>
  db.update(webhookCursors).set({ claimedUntil: $.now }).where(isClaimed($)),
);

/** The event that waits was not taken: the claim ends, and the next try is at `nextAt`. */
export const delayCursor = prepared(($: Values<Claimed & { now: number; nextAt: number; afterId: number }>) =>
  db
    .update(webhookCursors)
    .set({
      afterId: $.afterId,
      attempts: sql`${webhookCursors.attempts} + 1`,
      failingSince: sql`coalesce(${webhookCursors.failingSince}, ${$.now})`,
      nextAt: $.nextAt,
      claim: 0,
      claimedUntil: $.now,
    })
    .where(isClaimed($)),
);

const stillClaimed = ($: Values<Claimed>) => exists(db.select({ claim: webhookCursors.claim }).from(webhookCursors).where(isClaimed($)));

export const webhookTook = prepared(($: Values<{ id: string; now: number }>) =>
  db.update(webhooks).set({ deliveredAt: $.now, failedAt: null, failure: null }).where(eq(webhooks.id, $.id)),
);

/** Writes down what failed, and disables the webhook where there is a reason; before {@link delayCursor} in the batch. */
export const webhookFailed = prepared(($: Values<Claimed & { now: number; failure: string; disabledReason: string | null }>) =>
  db
    .update(webhooks)
    .set({
      failedAt: $.now,
      failure: $.failure,
      isEnabled: sql`iif(${$.disabledReason} IS NULL, ${webhooks.isEnabled}, 0)`,
      disabledReason: sql`coalesce(${$.disabledReason}, ${webhooks.disabledReason})`,
    })
    .where(and(eq(webhooks.id, $.webhookId), stillClaimed($))),
);
