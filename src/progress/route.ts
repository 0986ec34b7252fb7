import { linkToNext, numberIn } from '../http/number-cursor';
import { authenticationFailed, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import * as declared from './endpoints';
import { readProcesses, readProgress } from './read';
import { listedProcessView, progressView } from './views';

const DEFAULT_LIMIT = 200;

/** Ours: `GET /v2/data-import/import-suppliers/` lists the organisation's own suppliers by code. 200, 401. */
export const getImportSuppliers = route(declared.listImportSuppliers, async (c) => {
  const { caller } = c.var;
  const progress = await readProgress(c.var.deps, caller);
  return progress ? c.json(progress.map(progressView)) : authenticationFailed(c);
});

/** Ours: `GET /v2/data-import/import-suppliers/<code>/`: status, counts by status, since when the oldest waits. 200, 401, 404. */
export const getImportSupplier = route(declared.getImportSupplier, async (c) => {
  const { caller } = c.var;
  const progress = await readProgress(c.var.deps, caller, c.req.valid('param').import_supplier_code);
  if (!progress) return authenticationFailed(c);
  const [one] = progress;
  return one ? c.json(progressView(one)) : notFound(c);
});

/** Ours: `GET /v2/data-import/import-processes/<code>/?status=&run=&limit=&cursor=`: with the latest error of each. 200, 400, 401, 404. */
export const getImportProcesses = route(declared.listImportProcesses, async (c) => {
  const { caller } = c.var;
  const wanted = c.req.valid('query');
  const { status, run, limit = DEFAULT_LIMIT } = wanted;
  const { import_supplier_code: supplierCode } = c.req.valid('param');
  const page = await readProcesses(c.var.deps, caller, { supplierCode, status, run, limit, cursor: numberIn(wanted.cursor) });
  switch (page.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'unknown_cursor':
      return validationFailed(c, [fieldError(['cursor'], 'invalid', 'Take the cursor from the Link header of the page before.')]);
    case 'unknown_run':
      return validationFailed(c, [fieldError(['run'], 'does_not_exist', 'There is no such run of this supplier.')]);
    case 'page':
      if (page.cursor !== undefined) {
        const filter = { ...(status ? { status } : {}), ...(run === undefined ? {} : { run }) };
        c.header('Link', linkToNext(c, { ...filter, limit: String(limit) }, page.cursor));
      }
      return c.json(page.processes.map(listedProcessView));
    default:
      return unreachable(page);
  }
});
