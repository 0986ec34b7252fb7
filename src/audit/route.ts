import { pageOf, pageReply } from '../http/page';
import { route } from '../http/route';
import { isoInstant } from '../shared/dates';
import * as declared from './endpoints';
import { readAudit } from './feed';
import type { AuditRow } from './store';

/** `GET /operator/v1/audit/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getAudit = route(declared.listAudit, async (c) => {
  return pageReply(c, await readAudit(c.var.deps, pageOf(c.req.valid('query'))), auditView);
});

const auditView = (row: AuditRow) => ({
  id: row.id.toString(),
  occurred_at: isoInstant(row.occurredAt),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  ...(row.before === null ? {} : { before: JSON.parse(row.before) }),
  ...(row.after === null ? {} : { after: JSON.parse(row.after) }),
});
