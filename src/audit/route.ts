import type { AppHandler } from '../http/app';
import { pageQuery, pageReply } from '../http/page';
import { isoInstant } from '../shared/dates';
import { readAudit } from './feed';
import type { AuditRow } from './store';

/** `GET /operator/v1/audit/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getAudit: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  return pageReply(c, await readAudit(c.var.deps, page), auditView);
};

const auditView = (row: AuditRow) => ({
  id: row.id.toString(),
  occurred_at: isoInstant(row.occurredAt),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  ...(row.before === null ? {} : { before: JSON.parse(row.before) }),
  ...(row.after === null ? {} : { after: JSON.parse(row.after) }),
});
