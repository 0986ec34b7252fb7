import { jsonParameters, statement, type Write } from '../db';
import type { StatementRow } from './statement';

const INSERT = `INSERT INTO statements (account_id, statement_id, content_hash, content, document_key, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value -> 3, j.value ->> 4, j.value ->> 5
  FROM json_each(?1) j`;

const valuesOf = (row: StatementRow) => [row.accountId, row.statementId, row.contentHash, row.content, row.documentKey, row.createdAt];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts statements of any number of accounts; those already stored stay as they are. */
export const insertStatements = (rows: readonly StatementRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));
