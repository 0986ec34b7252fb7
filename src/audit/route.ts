import { pageOf, pageReply } from '../http/page';
import { validationFailed } from '../http/replies';
import { route } from '../http/route';
import { isoInstant } from '../shared/dates';
import * as declared from './endpoints';
import { readAudit } from './feed';
import { readFilter } from './filter';
import type { AuditRow } from './store';

/** `GET /operator/v1/audit/?actor=&action=&supplier=&from=&to=&limit=&cursor=`: newest first. 200, 400, 401, 403. */
export const getAudit = route(declared.listAudit, async (c) => {
  const query = c.req.valid('query');
  const filter = readFilter((name) => query[name]);
  return 'length' in filter ? validationFailed(c, filter) : pageReply(c, await readAudit(c.var.deps, filter, pageOf(query)), auditView);
});

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
