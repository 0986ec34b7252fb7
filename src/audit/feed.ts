import { type Page, type PageQuery, readPage } from '../db';
import type { Deps } from '../deps';
import { type AuditFilter, type AuditRow, auditEntry, auditPage } from './store';

/** Reads a page of the audit trail, newest first: what the filter lets through. */
export const readAudit = (deps: Deps, filter: AuditFilter, page: PageQuery): Promise<Page<AuditRow>> =>
  readPage(deps.db, page, {
    rows: (limit, cursor) => auditPage(filter, limit, idIn(cursor)),
    named: (cursor) => auditEntry({ auditId: idIn(cursor) ?? 0 }),
    cursorOf: ({ id }) => String(id),
  });

/** The id that a cursor says; 0, which no entry has, where it says none. */
const idIn = (cursor: string | undefined): number | undefined =>
  cursor === undefined ? undefined : /^\d{1,16}$/.test(cursor) ? Number(cursor) : 0;
