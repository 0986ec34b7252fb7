import { query } from '../db';
import type { Deps } from '../deps';
import { type AuditRow, auditPage } from './store';

export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** Where the next page goes on; undefined on the last. */
  readonly cursor: string | undefined;
}

/** Reads a page of the audit trail, newest first, in one trip. */
export async function readAudit(deps: Deps, limit: number, cursor?: number): Promise<AuditPage> {
  const rows = await query(deps.db, auditPage(limit + 1, cursor));
  const entries = rows.slice(0, limit);
  return { entries, cursor: rows.length > limit ? entries.at(-1)?.id.toString() : undefined };
}
