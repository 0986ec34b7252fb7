/**
 * The errors of a supplier's import processes as the operator counts and retries them.
 */
import {
  and,
  count,
  db,
  desc,
  eq,
  gt,
  importProcesses,
  indexedBy,
  limitOf,
  lte,
  prepared,
  type RowOfQuery,
  sql,
  type Values,
} from '../../db';
import { mayStartAgain, STATUS } from '../../import-processes';

/** Named, because the planner would take the open index, which holds every status. */
const erroredProcesses = () => indexedBy(importProcesses, 'import_processes_errored');

/** The code of the latest error, in the words of the index. */
const errorCode = () => sql<string>`${importProcesses.error} ->> 'code'`;

const isErrored = ($: Values<{ supplierId: number }>) =>
  and(eq(importProcesses.supplierId, $.supplierId), eq(importProcesses.status, STATUS.ERRORED));
const hasCode = ($: Values<{ supplierId: number; code: string }>) => and(isErrored($), eq(errorCode(), $.code));

/** ERRORED processes by the code of their latest error, most first. */
export const errorCounts = prepared(($: Values<{ supplierId: number }>) =>
  db
    .select({ code: errorCode(), count: count() })
    .from(erroredProcesses())
    .where(isErrored($))
    .groupBy(errorCode())
    .orderBy(desc(count()), errorCode()),
);

export type ErrorCountRow = RowOfQuery<ReturnType<typeof errorCounts>>;

/** Errors of fields are looked at in this many processes, the newest: each has a list of its own that must be read. */
const MAX_LISTED = 20_000;

/** The newest processes with the code of an error, and that error. */
const newestWith = ($: Values<{ supplierId: number; code: string }>) =>
  db
    .select({
      processId: sql<number>`${importProcesses.id}`.as('process_id'),
      number: sql<string>`${importProcesses.externalAccountNumber}`.as('number'),
      error: sql<string>`${importProcesses.error}`.as('error'),
    })
    .from(erroredProcesses())
    .where(hasCode($))
    .orderBy(desc(importProcesses.id))
    .limit(MAX_LISTED)
    .as('newest');

const FIELD_ERROR_COUNTS = prepared(($: Values<{ supplierId: number; code: string }>) => {
  const newest = newestWith($);
  const field = sql.identifier('field');
  const ofFields = db
    .selectDistinct({ processId: newest.processId, code: sql<string>`${field}.value ->> 'code'`.as('field_code') })
    .from(newest)
    .crossJoin(sql`json_each(${newest.error}, '$.errors') AS ${field}`)
    .as('of_fields');
  const code = sql<string>`${ofFields.code}`;
  return db.select({ code, count: count() }).from(ofFields).groupBy(code).orderBy(desc(count()), code).limit(20);
});

/** The codes of the fields that failed validation, most first; a process counts once for a code. */
export const fieldErrorCounts = (supplierId: number) => FIELD_ERROR_COUNTS({ supplierId, code: 'import_process_failed_validation' });

const FIELD_ERROR_GROUPS = prepared(($: Values<{ supplierId: number; code: string }>) => {
  const newest = newestWith($);
  const field = sql.identifier('field');
  const ofFields = db
    .selectDistinct({
      processId: newest.processId,
      number: newest.number,
      code: sql<string>`${field}.value ->> 'code'`.as('field_code'),
      attr: sql<string>`${field}.value ->> 'attr'`.as('field_attr'),
    })
    .from(newest)
    .crossJoin(sql`json_each(${newest.error}, '$.errors') AS ${field}`)
    .as('of_fields');
  const [code, attr] = [sql<string>`${ofFields.code}`, sql<string>`${ofFields.attr}`];
  const placed = db
    .select({
      code: code.as('code'),
      attr: attr.as('attr'),
      number: sql<string>`${ofFields.number}`.as('example'),
      place: sql<number>`row_number() OVER (PARTITION BY ${code}, ${attr} ORDER BY ${ofFields.processId} DESC)`.as('place'),
    })
    .from(ofFields)
    .as('placed');
  return db
    .select({
      code: sql<string>`${placed.code}`,
      attr: sql<string>`${placed.attr}`,
      count: count(),
      examples: sql<string>`json_group_array(${placed.number}) FILTER (WHERE ${placed.place} <= 3)`,
    })
    .from(placed)
    .groupBy(sql`${placed.code}`, sql`${placed.attr}`)
    .orderBy(desc(count()), sql`${placed.code}`, sql`${placed.attr}`)
    .limit(50);
});

/** Codes of fields that failed validation with the place of the field, most first, and the newest external account numbers with them as JSON. */
export const fieldErrorGroups = (supplierId: number) => FIELD_ERROR_GROUPS({ supplierId, code: 'import_process_failed_validation' });

/** The newest ERRORED process whose latest error has the code. */
export const newestWithCode = prepared(($: Values<{ supplierId: number; code: string }>) =>
  db
    .select({ id: sql<number>`${importProcesses.id}` })
    .from(erroredProcesses())
    .where(hasCode($))
    .orderBy(desc(importProcesses.id))
    .limit(1),
);

/** ERRORED processes with one code, in the order of their ids: after one, up to another, and still to start at `now`. */
interface ErroredRange {
  readonly supplierId: number;
  readonly code: string;
  readonly after: number;
  readonly upTo: number;
  readonly now: number;
}

const isRetryable = ($: Values<ErroredRange>) =>
  and(hasCode($), gt(importProcesses.id, $.after), lte(importProcesses.id, $.upTo), mayStartAgain($.now));

export const retryable = prepared(($: Values<ErroredRange & { limit: number }>) =>
  db.select({ id: importProcesses.id }).from(erroredProcesses()).where(isRetryable($)).orderBy(importProcesses.id).limit(limitOf($.limit)),
);

export const retryableCount = prepared(($: Values<ErroredRange>) =>
  db.select({ count: count() }).from(erroredProcesses()).where(isRetryable($)),
);
