/** Webhooks as their organisation sees and changes them. Each statement asks again whether the caller's key is in force. */
import {
  and,
  apiKeys,
  asc,
  db,
  eq,
  events,
  exists,
  insertSelect,
  isNull,
  or,
  prepared,
  type RowOfQuery,
  sql,
  suppliers,
  type Values,
  webhookCursors,
  webhooks,
} from '../db';
import { isCallerActive } from '../tokens';

interface OfCaller {
  readonly apiKeyId: string;
  readonly organisationId: string;
}

export interface OfWebhook extends OfCaller {
  readonly id: string;
}

const key = ($: Values<OfCaller>) => db.select({ id: apiKeys.id }).from(apiKeys).where(isCallerActive($));

/** True for the caller's own. */
const isOwn = ($: Values<OfWebhook>) => and(eq(webhooks.id, $.id), eq(webhooks.organisationId, $.organisationId), exists(key($)));

const own = ($: Values<OfWebhook>) => db.select({ id: webhooks.id }).from(webhooks).where(isOwn($));

const NEWEST = sql<number>`(SELECT max(${events.id}) FROM ${events})`;

/** Since when events wait to be sent, of any supplier. */
const WAITING_SINCE = sql<number | null>`(SELECT min(${webhookCursors.waitingSince}) FROM ${webhookCursors}
  WHERE ${webhookCursors.webhookId} = ${webhooks.id} AND ${webhookCursors.afterId} < ${webhookCursors.newestId})`;

/** The caller's webhooks, the oldest first, or the one with that id. No row at all: the key is not in force. */
export const webhooksOfCaller = prepared(($: Values<OfCaller & { id: string | null }>) =>
  db
    .select({
      webhook: {
        id: webhooks.id,
        url: webhooks.url,
        supplierCodes: webhooks.supplierCodes,
        types: webhooks.types,
        isEnabled: webhooks.isEnabled,
        disabledReason: webhooks.disabledReason,
        generation: webhooks.generation,
        rotatedAt: webhooks.rotatedAt,
        createdAt: webhooks.createdAt,
        deliveredAt: webhooks.deliveredAt,
        failedAt: webhooks.failedAt,
        failure: webhooks.failure,
        waitingSince: WAITING_SINCE,
      },
    })
    .from(apiKeys)
    .leftJoin(webhooks, and(eq(webhooks.organisationId, apiKeys.organisationId), or(isNull($.id), eq(webhooks.id, $.id))))
    .where(isCallerActive($))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
);

export type WebhookRow = NonNullable<RowOfQuery<ReturnType<typeof webhooksOfCaller>>['webhook']>;

/** Which of the codes (a JSON array) are suppliers of the caller. No row at all: the key is not in force. */
export const codesOfCaller = prepared(($: Values<OfCaller & { codes: string }>) =>
  db
    .select({ code: suppliers.code })
    .from(apiKeys)
    .leftJoin(
      suppliers,
      and(sql`${suppliers.code} IN (SELECT value FROM json_each(${$.codes}))`, eq(suppliers.organisationId, apiKeys.organisationId)),
    )
    .where(isCallerActive($)),
);

interface NewWebhook extends OfWebhook {
  readonly url: string;
  /** JSON. */
  readonly supplierCodes: string | null;
  /** JSON. */
  readonly types: string | null;
  readonly now: number;
  readonly most: number;
}

/** Adds a webhook that begins behind the newest event, while the organisation has fewer than `most`. */
export const insertWebhook = prepared(($: Values<NewWebhook>) =>
  insertSelect(
    webhooks,
    {
      id: $.id,
      organisationId: $.organisationId,
      url: $.url,
      supplierCodes: $.supplierCodes,
      types: $.types,
      startId: NEWEST,
      isEnabled: 1,
      generation: 1,
      createdAt: $.now,
    },
    sql`WHERE ${exists(key($))} AND (SELECT count(*) FROM ${webhooks} WHERE ${eq(webhooks.organisationId, $.organisationId)}) < ${$.most}`,
  ).onConflictDoNothing({ target: webhooks.id }),
);

interface Change extends OfWebhook {
  readonly url: string | null;
  readonly givesSuppliers: number;
  readonly supplierCodes: string | null;
  readonly givesTypes: number;
  readonly types: string | null;
  readonly isEnabled: number | null;
}

/** Changes what is given. Suppliers that a new filter adds begin behind the newest event. */
export const changeWebhook = prepared(($: Values<Change>) =>
  db
    .update(webhooks)
    .set({
      url: sql`coalesce(${$.url}, ${webhooks.url})`,
      supplierCodes: sql`iif(${$.givesSuppliers}, ${$.supplierCodes}, ${webhooks.supplierCodes})`,
      startId: sql`iif(${$.givesSuppliers}, ${NEWEST}, ${webhooks.startId})`,
      types: sql`iif(${$.givesTypes}, ${$.types}, ${webhooks.types})`,
      isEnabled: sql`coalesce(${$.isEnabled}, ${webhooks.isEnabled})`,
      disabledReason: sql`CASE ${$.isEnabled} WHEN 1 THEN NULL WHEN 0 THEN coalesce(${webhooks.disabledReason}, 'importer') ELSE ${webhooks.disabledReason} END`,
    })
    .where(isOwn($)),
);

/** What failed is tried again at once. */
export const tryAgain = prepared(($: Values<OfWebhook>) =>
  db
    .update(webhookCursors)
    .set({ attempts: 0, failingSince: null, nextAt: 0 })
    .where(and(eq(webhookCursors.webhookId, $.id), exists(own($)))),
);

/** Drops cursors of suppliers that the filter leaves out. */
export const dropFiltered = prepared(($: Values<OfWebhook>) =>
  db.delete(webhookCursors).where(
    and(
      eq(webhookCursors.webhookId, $.id),
      exists(own($)),
      sql`${webhookCursors.supplierId} NOT IN (SELECT ${suppliers.id} FROM ${webhooks} CROSS JOIN ${suppliers}
        WHERE ${eq(webhooks.id, $.id)} AND (${webhooks.supplierCodes} IS NULL
          OR ${suppliers.code} IN (SELECT value FROM json_each(${webhooks.supplierCodes}))))`,
    ),
  ),
);

/** A next secret, if `generation` is still the present one. */
export const rotateSecret = prepared(($: Values<OfWebhook & { generation: number; now: number }>) =>
  db
    .update(webhooks)
    .set({ generation: sql`${webhooks.generation} + 1`, rotatedAt: $.now })
    .where(and(isOwn($), eq(webhooks.generation, $.generation))),
);

/** Everything behind the event `after` is sent again. Whoever sends right now stops; the time of that claim still passes first. */
export const replayFrom = prepared(($: Values<OfWebhook & { after: number; now: number }>) =>
  db
    .update(webhookCursors)
    .set({
      afterId: $.after,
      newestId: NEWEST,
      waitingSince: sql`iif(${$.after} < ${NEWEST}, ${$.now}, NULL)`,
      attempts: 0,
      failingSince: null,
      nextAt: 0,
      claim: 0,
    })
    .where(and(eq(webhookCursors.webhookId, $.id), exists(own($)))),
);

export const deleteCursors = prepared(($: Values<OfWebhook>) =>
  db.delete(webhookCursors).where(and(eq(webhookCursors.webhookId, $.id), exists(own($)))),
);

export const deleteWebhook = prepared(($: Values<OfWebhook>) => db.delete(webhooks).where(isOwn($)));
