import { canonicalJson, shortDigest } from '../shared/digest';
import type { HistoricalStatement } from './schema';

/** A historical statement as it is stored. */
export interface StatementRow {
  readonly accountId: number;
  readonly statementId: string;
  /** Equal for equal content. */
  readonly contentHash: string;
  /** As it was sent, undocumented fields included. */
  readonly content: HistoricalStatement;
  readonly documentKey: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The rows of an account's statements, the same one twice being one. `keyOf` turns a document path into its object key. Pure. */
export function statementRowsOf(
  accountId: number,
  items: readonly HistoricalStatement[],
  keyOf: (documentPath: string) => string,
  now: number,
): StatementRow[] {
  const rows = new Map<string, StatementRow>();
  for (const content of items) {
    if (rows.has(content.statement_id)) continue;
    rows.set(content.statement_id, {
      accountId,
      statementId: content.statement_id,
      contentHash: shortDigest(canonicalJson(content)),
      content,
      documentKey: content.statement_path === undefined ? null : keyOf(content.statement_path),
      createdAt: now,
    });
  }
  return [...rows.values()];
}
