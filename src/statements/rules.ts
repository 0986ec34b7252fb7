/**
 * What makes a list of historical statements right (§2.5). Pure.
 */

import type { DocumentReference } from '../documents/pure';
import { canonicalJson } from '../shared/digest';
import { type FieldError, fieldError, type Path } from '../shared/errors';
import { periodErrors } from '../shared/periods';
import type { HistoricalStatement, HistoricalStatementDraft } from './schema';

const alreadyExists = (path: Path): FieldError =>
  fieldError([...path, 'statement_id'], 'statement_already_exists', 'Use another id: a statement with other content has this one.');

/**
 * Validates a list of statements; `path` leads to the list. Codes: `period_ends_before_it_starts`; `statement_already_exists` where an
 * earlier one has the same id and other content.
 */
export function statementErrors(path: Path, statements: readonly (HistoricalStatementDraft | undefined)[]): FieldError[] {
  const firsts = new Map<string, () => string>();
  return statements.flatMap((statement, index) => {
    if (!statement) return [];
    const errors = periodErrors([...path, index, 'bill_period_to_date'], statement.bill_period_from_date, statement.bill_period_to_date);
    if (statement.statement_id === undefined || !isWhole(statement)) return errors;
    const first = firsts.get(statement.statement_id);
    if (first === undefined) firsts.set(statement.statement_id, writtenOnce(statement));
    else if (first() !== canonicalJson(statement)) errors.push(alreadyExists([...path, index]));
    return errors;
  });
}

/** Its content as text, made when it is first compared and however many are compared with it. */
function writtenOnce(statement: HistoricalStatementDraft): () => string {
  let text: string | undefined;
  return () => {
    text ??= canonicalJson(statement);
    return text;
  };
}

/** An error for each statement that is stored with other content; `conflicts` holds their ids. */
export const conflictErrors = (path: Path, statements: readonly HistoricalStatement[], conflicts: ReadonlySet<string>): FieldError[] =>
  statements.flatMap(({ statement_id }, index) => (conflicts.has(statement_id) ? [alreadyExists([...path, index])] : []));

/** The documents a list of statements names, and where; `path` leads to the list. */
export const statementDocuments = (path: Path, statements: readonly (HistoricalStatementDraft | undefined)[]): DocumentReference[] =>
  statements.flatMap((statement, index) =>
    statement?.statement_path === undefined ? [] : [{ path: [...path, index, 'statement_path'], documentPath: statement.statement_path }],
  );

/** True where nothing is missing and nothing was refused: only then can two contents be compared. */
const isWhole = (statement: HistoricalStatementDraft): boolean =>
  statement.bill_period_from_date !== undefined &&
  statement.bill_period_to_date !== undefined &&
  !Object.values(statement).includes(undefined);
