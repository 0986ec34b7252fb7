import type { AppHandler } from '../http/app';
import { pageQuery, pageReply } from '../http/page';
import { validationFailed } from '../http/replies';
import { isoInstant } from '../shared/dates';
import { readAudit } from './feed';
import { readFilter } from './filter';
import type { AuditRow } from './store';

/** `GET /operator/v1/audit/?actor=&action=&supplier=&from=&to=&limit=&cursor=`: newest first. 200, 400, 401, 403. */
export const getAudit: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  const filter = readFilter((name) => c.req.query(name));
  return 'length' in filter ? validationFailed(c, filter) : pageReply(c, await readAudit(c.var.deps, filter, page), auditView);
};

const auditView = (row: AuditRow) => ({
  id: row.id.toString(),
  occurred_at: isoInstant(row.occurredAt),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  ...(row.supplier === null ? {} : { supplier: row.supplier }),
  ...(row.before === null ? {} : { before: JSON.parse(row.before) }),
  ...(row.after === null ? {} : { after: JSON.parse(row.after) }),
});
