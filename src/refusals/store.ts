/**
 * The statements that count refused creates (§10), and those that read what was counted.
 */
import {
  and,
  db,
  desc,
  eq,
  excluded,
  gt,
  gte,
  importsPerMinute,
  insertSelect,
  jsonText,
  limitOf,
  lt,
  prepared,
  type RowValues,
  refusals,
  rowsOf,
  runRefusals,
  runs,
  sql,
  suppliers,
  type Values,
} from '../db';
import { MAX_EXAMPLES, type RefusalCount } from './rules';

const refused = rowsOf('refused', { supplierId: importsPerMinute.supplierId, accounts: importsPerMinute.refused });

const ADD_REFUSED = prepared(($: Values<{ rows: RowValues<typeof refused>; minute: number }>) =>
  insertSelect(
    importsPerMinute,
    { supplierId: refused.row.supplierId, minute: $.minute, processed: 0, errored: 0, refused: refused.row.accounts },
    sql`FROM ${refused.from($.rows)} WHERE true`,
  ).onConflictDoUpdate({
    target: [importsPerMinute.supplierId, importsPerMinute.minute],
    set: { refused: sql`${importsPerMinute.refused} + ${excluded(importsPerMinute.refused)}` },
  }),
);

/** Adds to what each supplier had refused in that Unix minute. */
export const addRefused = (rows: readonly { readonly supplierId: number; readonly refused: number }[], minute: number) =>
  ADD_REFUSED({ rows: refused.value(rows.map((row) => ({ supplierId: row.supplierId, accounts: row.refused }))), minute });

const counts = rowsOf('counts', {
  supplierId: refusals.supplierId,
  code: refusals.code,
  attr: refusals.attr,
  accounts: refusals.accounts,
  examples: jsonText(),
});

// The new examples, then those that were there.
const NEWEST = sql<string>`(SELECT json_group_array(json(e.value)) FROM (
  SELECT value FROM (
    SELECT 0 AS turn, key, value FROM json_each(${excluded(refusals.examples)})
    UNION ALL SELECT 1, key, value FROM json_each(${refusals.examples})
  ) ORDER BY turn, key LIMIT ${sql.raw(String(MAX_EXAMPLES))}) AS e)`;

const ADD_COUNTS = prepared(($: Values<{ rows: RowValues<typeof counts>; minute: number }>) =>
  insertSelect(
    refusals,
    {
      supplierId: counts.row.supplierId,
      minute: $.minute,
      code: counts.row.code,
      attr: counts.row.attr,
      accounts: counts.row.accounts,
      examples: sql<string>`${counts.row.examples}`,
    },
    sql`FROM ${counts.from($.rows)} WHERE true`,
  ).onConflictDoUpdate({
    target: [refusals.supplierId, refusals.minute, refusals.code, refusals.attr],
    set: { accounts: sql`${refusals.accounts} + ${excluded(refusals.accounts)}`, examples: NEWEST },
  }),
);

/** Adds to what was refused in that Unix minute, by code and place. */
export const addCounts = (rows: readonly (RefusalCount & { readonly supplierId: number })[], minute: number) =>
  counts
    .values(rows.map((row) => ({ ...row, examples: JSON.stringify(row.examples) })))
    .map((value) => ADD_COUNTS({ rows: value, minute }));

const refusedOfRuns = rowsOf('refused', { supplierId: runs.supplierId, runId: runs.id, accounts: runs.refused });

const ADD_REFUSED_OF_RUNS = prepared(($: Values<{ rows: RowValues<typeof refusedOfRuns> }>) =>
  db
    .update(runs)
    .set({ refused: sql`${runs.refused} + ${refusedOfRuns.row.accounts}` })
    .from(refusedOfRuns.from($.rows))
    .where(and(eq(runs.id, refusedOfRuns.row.runId), eq(runs.supplierId, refusedOfRuns.row.supplierId))),
);

/** Adds to what each run had refused. Nothing where none is of a run. */
export const addRefusedOfRuns = (rows: readonly { readonly supplierId: number; readonly runId: number; readonly refused: number }[]) =>
  refusedOfRuns
    .values(rows.map(({ refused: accounts, ...row }) => ({ ...row, accounts })))
    .map((value) => ADD_REFUSED_OF_RUNS({ rows: value }));

const countsOfRuns = rowsOf('counts', {
  supplierId: runRefusals.supplierId,
  runId: runRefusals.runId,
  code: runRefusals.code,
  attr: runRefusals.attr,
  accounts: runRefusals.accounts,
});

const ADD_COUNTS_OF_RUNS = prepared(($: Values<{ rows: RowValues<typeof countsOfRuns>; minute: number }>) =>
  insertSelect(
    runRefusals,
    { ...countsOfRuns.row, minute: $.minute },
    sql`FROM ${countsOfRuns.from($.rows)} WHERE true`,
  ).onConflictDoUpdate({
    target: [runRefusals.supplierId, runRefusals.runId, runRefusals.code, runRefusals.attr],
    set: { accounts: sql`${runRefusals.accounts} + ${excluded(runRefusals.accounts)}`, minute: excluded(runRefusals.minute) },
  }),
);

/** Adds to what each run had refused by code and place; `minute` is a Unix minute. */
export const addCountsOfRuns = (
  rows: readonly (Pick<RefusalCount, 'code' | 'attr' | 'accounts'> & { readonly supplierId: number; readonly runId: number })[],
  minute: number,
) =>
  countsOfRuns
    .values(rows.map(({ supplierId, runId, code, attr, accounts }) => ({ supplierId, runId, code, attr, accounts })))
    .map((value) => ADD_COUNTS_OF_RUNS({ rows: value, minute }));

/** What creates of a run were refused for, most first. */
export const countsOfRun = prepared(($: Values<{ supplierId: number; runId: number; limit: number }>) =>
  db
    .select({ code: runRefusals.code, attr: runRefusals.attr, accounts: runRefusals.accounts })
    .from(runRefusals)
    .where(and(eq(runRefusals.supplierId, $.supplierId), eq(runRefusals.runId, $.runId)))
    .orderBy(desc(runRefusals.accounts), runRefusals.code, runRefusals.attr)
    .limit(limitOf($.limit)),
);

/** How many accounts each supplier had refused since that Unix minute; those without any are left out. */
export const refusedSince = prepared(($: Values<{ minute: number }>) =>
  db
    .select({ supplierId: importsPerMinute.supplierId, refused: sql<number>`sum(${importsPerMinute.refused})` })
    .from(suppliers)
    .crossJoin(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, suppliers.id), gte(importsPerMinute.minute, $.minute), gt(importsPerMinute.refused, 0)))
    .groupBy(importsPerMinute.supplierId),
);

interface OfSupplier {
  readonly code: string;
  /** Unix minute. */
  readonly minute: number;
}

/** How many accounts the supplier of that code had refused since; no row for an unknown one. */
export const refusedOf = prepared(($: Values<OfSupplier>) =>
  db
    .select({
      refused: sql<number>`(SELECT coalesce(sum(${importsPerMinute.refused}), 0) FROM ${importsPerMinute}
        WHERE ${and(eq(importsPerMinute.supplierId, suppliers.id), gte(importsPerMinute.minute, $.minute), gt(importsPerMinute.refused, 0))})`,
    })
    .from(suppliers)
    .where(eq(suppliers.code, $.code)),
);

const isOfSupplier = ($: Values<OfSupplier>) =>
  and(eq(suppliers.code, $.code), eq(refusals.supplierId, suppliers.id), gte(refusals.minute, $.minute));

/** What its accounts were refused for since, most first. */
export const countsOf = prepared(($: Values<OfSupplier & { limit: number }>) => {
  const accounts = sql<number>`sum(${refusals.accounts})`;
  return db
    .select({ code: refusals.code, attr: refusals.attr, accounts })
    .from(suppliers)
    .crossJoin(refusals)
    .where(isOfSupplier($))
    .groupBy(refusals.code, refusals.attr)
    .orderBy(desc(accounts), refusals.code, refusals.attr)
    .limit(limitOf($.limit));
});

/** Examples of the newest minutes first. */
export const examplesOf = prepared(($: Values<OfSupplier & { limit: number }>) =>
  db
    .select({ code: refusals.code, attr: refusals.attr, examples: refusals.examples })
    .from(suppliers)
    .crossJoin(refusals)
    .where(isOfSupplier($))
    .orderBy(desc(refusals.minute))
    .limit(limitOf($.limit)),
);

/** Forgets by what the supplier's accounts were refused before that Unix minute. How many they were stays known. */
export const forgetRefusals = prepared(($: Values<{ supplierId: number; minute: number }>) =>
  db.delete(refusals).where(and(eq(refusals.supplierId, $.supplierId), lt(refusals.minute, $.minute))),
);

/** The same of its runs. */
export const forgetRefusalsOfRuns = prepared(($: Values<{ supplierId: number; minute: number }>) =>
  db.delete(runRefusals).where(and(eq(runRefusals.supplierId, $.supplierId), lt(runRefusals.minute, $.minute))),
);
