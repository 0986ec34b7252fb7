/**
 * Events as they are read: a walk past a row, in commit order.
 */
import { and, apiKeys, db, eq, events, prepared, type RowOfQuery, type SQL, serviceKeys, sql, suppliers, type Values } from '../db';
import { DAY_MILLISECONDS } from '../shared/dates';
import { MEBIBYTE } from '../shared/sizes';
import { DEFAULT_SETTINGS, MAX_EVENT_RETENTION_DAYS } from '../suppliers';
import { isCallerActive } from '../tokens';

/** Rows looked at for one page: what it costs at most, however few events are of the supplier. */
export const MAX_LOOKS = 10_000;

/** Bytes of data in one page: each event has up to 500 imports. */
const MAX_BYTES = 4 * MEBIBYTE;

/** For how many days a supplier's events are read. Where that cannot be read it is the longest time: no event is lost by a guess. */
const RETENTION_DAYS = sql<number>`iif(
  json_valid(${suppliers.configuration}) AND coalesce(json_type(${suppliers.configuration}, '$.event_retention_days'), 'integer') = 'integer',
  coalesce(${suppliers.configuration} ->> 'event_retention_days', ${DEFAULT_SETTINGS.event_retention_days}), ${MAX_EVENT_RETENTION_DAYS})`;

const CURSOR_KEY = sql<string>`(SELECT ${serviceKeys.value} FROM ${serviceKeys} WHERE ${serviceKeys.name} = 'event_cursor')`;

/** What a page of a supplier's events begins with. `supplierId` is null where the supplier is not the caller's. No row: the key is not in force. */
export const feedOfCaller = prepared(($: Values<{ apiKeyId: string; organisationId: string; code: string }>) =>
  db
    .select({ supplierId: suppliers.id, retentionDays: RETENTION_DAYS, key: CURSOR_KEY })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.code), eq(suppliers.organisationId, apiKeys.organisationId)))
    .where(isCallerActive($)),
);

/** The same of the events of all suppliers. */
export const wholeFeed = prepared(() => sql<{ key: string }>`SELECT ${CURSOR_KEY} AS "key"`);

const looked = ($: Values<{ after: number }>): SQL =>
  sql`(SELECT ${events.id} AS id, ${events.supplierId} AS supplier_id FROM ${events} WHERE ${events.id} > ${$.after}
    ORDER BY ${events.id} LIMIT ${MAX_LOOKS})`;

/** How far a walk past that row comes: the last id it sees, and how many rows. From the oldest row on the table is whole. */
export const scanned = prepared(
  ($: Values<{ after: number }>) =>
    sql<{ lastId: number | null; count: number; oldestId: number }>`SELECT max(id) AS "lastId", count(*) AS "count",
      (SELECT min(${events.id}) FROM ${events}) AS "oldestId" FROM ${looked($)}`,
);

/**
 * Events of the same walk, of one supplier or of all (`supplierId` null), up to `limit`. The first that do not fit into a page have no data: they are for
 * the next one.
 */
export const eventsAfter = prepared(
  ($: Values<{ after: number; supplierId: number | null; limit: number }>) => sql<{
    id: number;
    occurredAt: number;
    type: string;
    supplierCode: string;
    data: string | null;
  }>`SELECT wanted.id, ${events.occurredAt} AS "occurredAt", ${events.type} AS "type", ${suppliers.code} AS "supplierCode",
      iif(wanted.bytes_so_far <= ${MAX_BYTES} OR wanted.place = 1, ${events.data}, NULL) AS "data"
    FROM (SELECT looked.id, looked.supplier_id, row_number() OVER earlier AS place, sum(octet_length(sized.data)) OVER earlier AS bytes_so_far
        FROM ${looked($)} AS looked CROSS JOIN ${events} AS sized
        WHERE sized.id = looked.id AND looked.supplier_id <> 0 AND (${$.supplierId} IS NULL OR looked.supplier_id = ${$.supplierId})
        WINDOW earlier AS (ORDER BY looked.id) ORDER BY looked.id LIMIT ${$.limit}) AS wanted
      CROSS JOIN ${events} CROSS JOIN ${suppliers}
    WHERE ${eq(events.id, sql`wanted.id`)} AND ${eq(suppliers.id, sql`wanted.supplier_id`)} ORDER BY wanted.id`,
);

export type EventRow = RowOfQuery<ReturnType<typeof eventsAfter>>;

/** Events that one call deletes at most. */
const MAX_FORGOTTEN = 5_000;

/** Deletes what no supplier's events are read from any more at `now`, but the last of it: cursors before that one have expired. */
export const forgetEvents = prepared(($: Values<{ now: number }>) =>
  db.delete(events).where(
    sql`${events.id} < (SELECT max(id) FROM (SELECT ${events.id} AS id FROM ${events}
      WHERE ${events.id} <= ${$.now} - (SELECT max(${RETENTION_DAYS}) FROM ${suppliers}) * ${DAY_MILLISECONDS}
      ORDER BY ${events.id} LIMIT ${MAX_FORGOTTEN}))`,
  ),
);
