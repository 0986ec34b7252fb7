/** Historical statements on the wire (§2.5, §4.3). */
import * as z from 'zod';
import { date, documentPath, identifier, line, list, optional, requiredLine } from '../shared/fields';
import type { Draft, Given } from '../shared/parse';

const MAX_STATEMENTS = 500;

/** One statement of an account payload or of a request. */
export const statementItem = z.object({
  bill_period_from_date: date,
  bill_period_to_date: date,
  statement_id: requiredLine(128),
  issued_date: optional(date),
  number: optional(line(512)),
  gross_amount: optional(z.number()),
  statement_path: optional(documentPath),
});
export type HistoricalStatement = Given<z.output<typeof statementItem>>;
export type HistoricalStatementDraft = Draft<z.output<typeof statementItem>>;

export const statementsBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  statements: list(statementItem, MAX_STATEMENTS),
});
export type StatementsBody = Given<z.output<typeof statementsBody>>;
