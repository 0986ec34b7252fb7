import { type AccountFacts, accountFacts, accountFactsOf, GUARD, guardParameters, type ImportedAccount } from '../account-facts';
import { commit, ITEMS, jsonParameters, statement, type Write } from '../db';
import type { Deps } from '../deps';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import type { StatementRow } from './statement';

const INSERT = `INSERT INTO statements (account_id, statement_id, content_hash, content, document_key, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value -> 3, j.value ->> 4, j.value ->> 5
  FROM ${ITEMS} j`;

const valuesOf = (row: StatementRow) => [row.accountId, row.statementId, row.contentHash, row.content, row.documentKey, row.createdAt];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts statements of any number of accounts; those already stored stay as they are. */
export const insertStatements = (rows: readonly StatementRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));

const CONFLICTING = (parameter: string, account: string): string =>
  `FROM json_each(${parameter}) i CROSS JOIN statements t ON t.account_id = ${account} AND t.statement_id = i.value ->> 0
    WHERE t.content_hash <> i.value ->> 1`;

const CONFLICTS = `SELECT t.statement_id ${CONFLICTING('?1', '?2')}`;

const ADD = `${INSERT} WHERE ${GUARD} AND NOT EXISTS (SELECT 1 ${CONFLICTING('?6', '?7')}) ON CONFLICT DO NOTHING`;

/**
 * Adds statements to the account, unless one of them is there with other content or the facts that judged them have changed.
 * Returns those facts as they are, and the ids in conflict. One trip.
 */
export async function addRows(
  deps: Deps,
  caller: Caller,
  pair: { readonly import_supplier: string; readonly external_account_number: string },
  { supplier, account }: { readonly supplier: Supplier; readonly account: ImportedAccount },
  rows: readonly StatementRow[],
): Promise<{ readonly facts: AccountFacts; readonly conflicts: ReadonlySet<string> }> {
  const identities = JSON.stringify(rows.map(({ statementId, contentHash }) => [statementId, contentHash]));
  const [facts, conflicts] = await commit(deps.databaseOf(supplier.code), [
    accountFacts(caller, pair.import_supplier, pair.external_account_number),
    statement<{ statement_id: string }>(CONFLICTS, identities, account.id),
    ...jsonParameters(rows.map(valuesOf)).map((parameter) =>
      statement(ADD, parameter, ...guardParameters(caller, supplier), identities, account.id),
    ),
  ]);
  return { facts: accountFactsOf(facts), conflicts: new Set(conflicts.map(({ statement_id }) => statement_id)) };
}
