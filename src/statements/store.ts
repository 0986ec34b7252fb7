import { type GuardOfMany, guardOfMany, type Target, unchangedAccounts } from '../account-state';
import {
  and,
  columnsOf,
  db,
  eq,
  exists,
  field,
  inArray,
  inserting,
  insertSelect,
  ne,
  type Part,
  part,
  prepared,
  type RowValues,
  rowsOf,
  sql,
  statements,
  type Values,
} from '../db';
import { recordAdditions } from '../events';
import type { Caller } from '../tokens';
import type { StatementRow } from './statement';

/** Inserts statements of any number of accounts; those already stored stay as they are. */
export const insertStatements = inserting(statements);

/** What a request adds to its account. */
export interface StatementsToAdd {
  readonly target: Target;
  readonly rows: readonly StatementRow[];
  /** Unix milliseconds. */
  readonly now: number;
}

const given = rowsOf('given', { ...columnsOf(statements), request: field<number>() });
const identity = {
  request: field<number>(),
  supplierId: field<number>(),
  accountId: statements.accountId,
  statementId: statements.statementId,
  contentHash: statements.contentHash,
};
const identities = rowsOf('identities', identity);
/** The same, where the conflicts among them are looked up, too. */
const added = rowsOf('added', identity);

type Identified = { identities: RowValues<typeof identities> };

/** True for a statement that has the id of a new one, and other content. */
const isConflicting = () =>
  and(
    eq(statements.accountId, identities.row.accountId),
    eq(statements.statementId, identities.row.statementId),
    ne(statements.contentHash, identities.row.contentHash),
  );

const CONFLICTS = prepared(($: Values<Identified>) =>
  db
    .select({ request: identities.row.request, statementId: statements.statementId })
    .from(identities.from($.identities))
    .crossJoin(statements)
    .where(isConflicting()),
);

/** True for a new statement of a request without a conflict, while its account is unchanged. */
const isAdded = (
  $: Values<Identified & GuardOfMany>,
  { accountId, statementId, request }: Pick<typeof given.row, 'accountId' | 'statementId' | 'request'>,
) => {
  const there = db
    .select({ statementId: statements.statementId })
    .from(statements)
    .where(and(eq(statements.accountId, accountId), eq(statements.statementId, statementId)));
  const refused = db
    .select({ request: identities.row.request })
    .from(identities.from($.identities))
    .crossJoin(statements)
    .where(isConflicting());
  // In this order: where all is there already, as when a request is repeated, the conflicts are not looked up.
  return and(inArray(accountId, unchangedAccounts($)), sql`NOT (${exists(there)} OR ${inArray(request, refused)})`);
};

const RECORD = prepared(($: Values<Identified & GuardOfMany & { now: number }>) => {
  const { row } = added;
  const found = sql`FROM ${added.from($.identities)} WHERE ${isAdded($, row)}`;
  return recordAdditions($, 'statements.added', { ...row, item: row.statementId }, found);
});

const ADD = prepared(($: Values<{ rows: RowValues<typeof given> } & Identified & GuardOfMany>) => {
  const { request: _, ...row } = given.row;
  return insertSelect(statements, row, sql`FROM ${given.from($.rows)} WHERE ${isAdded($, given.row)}`).onConflictDoNothing();
});

/**
 * Adds statements to their accounts, unless one of a request is there with other content or what the request was validated by has
 * changed. Reads the ids in conflict, for each request. No two requests of one account may hold the same id.
 */
export function addingStatements(caller: Caller, requests: readonly StatementsToAdd[]): Part<ReadonlySet<string>[]> {
  const guard = guardOfMany(caller, requests);
  const rows = requests.flatMap(({ target, rows: of }, request) => of.map((row) => ({ ...row, supplierId: target.supplier.id, request })));
  const identified = { identities: identities.value(rows) };
  const now = Math.max(...requests.map((one) => one.now));
  return part(
    [
      CONFLICTS(identified),
      RECORD({ ...identified, ...guard, now }),
      ...given.values(rows).map((value) => ADD({ rows: value, ...identified, ...guard })),
    ],
    ([conflicts]) => {
      const found = Map.groupBy(conflicts, ({ request }) => request);
      return requests.map((_, request) => new Set((found.get(request) ?? []).map(({ statementId }) => statementId)));
    },
  );
}
