import { type AccountFacts, accountFactsOf, additionOf, factsAgain, type Guard, guardOf, isUnchanged, type Target } from '../account-facts';
import {
  and,
  columnsOf,
  commit,
  db,
  eq,
  inserting,
  insertSelect,
  ne,
  notExists,
  prepared,
  type RowValues,
  rowsOf,
  sql,
  statements,
  type Values,
} from '../db';
import type { Deps } from '../deps';
import { recordCount } from '../events';
import type { StatementRow } from './statement';

/** Inserts statements of any number of accounts; those already stored stay as they are. */
export const insertStatements = inserting(statements);

const given = rowsOf('given', columnsOf(statements));
const identities = rowsOf('identities', { statementId: statements.statementId, contentHash: statements.contentHash });

interface Identified {
  accountId: number;
  identities: RowValues<typeof identities>;
}

/** The statements of the account that have the id of a new one and other content. */
const conflicting = ($: Values<Identified>) =>
  db
    .select({ statementId: statements.statementId })
    .from(identities.from($.identities))
    .crossJoin(statements)
    .where(
      and(
        eq(statements.accountId, $.accountId),
        eq(statements.statementId, identities.row.statementId),
        ne(statements.contentHash, identities.row.contentHash),
      ),
    );

const CONFLICTS = prepared(conflicting);

const ADD = prepared(($: Values<{ rows: RowValues<typeof given> } & Identified & Guard>) =>
  insertSelect(
    statements,
    given.row,
    sql`FROM ${given.from($.rows)} WHERE ${and(isUnchanged($), notExists(conflicting($)))}`,
  ).onConflictDoNothing(),
);

/**
 * Adds statements to the account, unless one of them is there with other content or what the request was validated by has changed.
 * Returns that as it is now, and the ids in conflict. One trip.
 */
export async function addRows(
  deps: Deps,
  target: Target,
  rows: readonly StatementRow[],
  now: number,
): Promise<{ readonly facts: AccountFacts; readonly conflicts: ReadonlySet<string> }> {
  const identified = { accountId: target.account.id, identities: identities.value(rows) };
  const [facts, conflicts] = await commit(deps.databaseOf(target.supplier.code), [
    factsAgain(target),
    CONFLICTS(identified),
    ...given
      .values(rows)
      .flatMap((value) => [
        ADD({ rows: value, ...identified, ...guardOf(target) }),
        recordCount(additionOf('statements.added', target, now)),
      ]),
  ]);
  return { facts: accountFactsOf(facts), conflicts: new Set(conflicts.map(({ statementId }) => statementId)) };
}
