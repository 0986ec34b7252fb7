/**
 * How far one supplier is and what it waits for, as its page in the console shows it.
 */
import {
  and,
  asc,
  auditEntries,
  db,
  desc,
  eq,
  gte,
  importProcesses,
  importsPerMinute,
  indexedBy,
  limitOf,
  lt,
  prepared,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { isOpenEntry, OPEN_INDEX, STATUS } from '../../import-processes';

/** The supplier with the first minute (Unix minutes) in which anything of it finished; null where nothing has. */
export const supplierSince = prepared(($: Values<{ code: string }>) => {
  const first = db
    .select({ minute: importsPerMinute.minute })
    .from(importsPerMinute)
    .where(eq(importsPerMinute.supplierId, suppliers.id))
    .orderBy(asc(importsPerMinute.minute))
    .limit(1);
  return db
    .select({ id: suppliers.id, firstMinute: sql<number | null>`${first}` })
    .from(suppliers)
    .where(eq(suppliers.code, $.code));
});

/** What finished since a minute, added up over spans of `width` minutes, oldest first. `span` counts them since 1970. */
export const importsInSpans = prepared(($: Values<{ supplierId: number; minute: number; width: number }>) => {
  const span = sql<number>`CAST(${importsPerMinute.minute} / ${$.width} AS INTEGER)`;
  return db
    .select({ span, processed: sql<number>`sum(${importsPerMinute.processed})`, errored: sql<number>`sum(${importsPerMinute.errored})` })
    .from(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, $.supplierId), gte(importsPerMinute.minute, $.minute)))
    .groupBy(span)
    .orderBy(span);
});

/** Of the first `limit` PENDING processes: since when the longest waiting one may start, and when the next window opens. */
export const firstWaiting = prepared(($: Values<{ supplierId: number; now: number; limit: number }>) => {
  const first = db
    .select({
      scheduledAt: sql<number>`${importProcesses.scheduledAt}`.as('first_scheduled'),
      opensAt: sql<number>`coalesce(${importProcesses.windowStart}, 0)`.as('first_opens'),
    })
    .from(indexedBy(importProcesses, OPEN_INDEX))
    .where(isOpenEntry(importProcesses, $.supplierId, STATUS.PENDING))
    .orderBy(importProcesses.id)
    .limit(limitOf($.limit))
    .as('first');
  const [scheduledAt, opensAt] = [sql`${first.scheduledAt}`, sql`${first.opensAt}`];
  return db
    .select({
      waitingSince: sql<number | null>`min(max(${scheduledAt}, ${opensAt})) FILTER (WHERE ${opensAt} <= ${$.now})`,
      opensAt: sql<number | null>`min(${opensAt}) FILTER (WHERE ${opensAt} > ${$.now})`,
    })
    .from(first);
});

/** Who last changed something at ids of the audit trail from one up to before another. */
export const changedBy = prepared(($: Values<{ subject: string; from: number; to: number }>) =>
  db
    .select({ actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, $.subject), gte(auditEntries.id, $.from), lt(auditEntries.id, $.to)))
    .orderBy(desc(auditEntries.id))
    .limit(1),
);
