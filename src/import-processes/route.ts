import type { AppHandler } from '../http/app';
import { receiveCaller } from '../http/receive';
import { authenticationFailed, notFound } from '../http/replies';
import { unreachable } from '../shared/unreachable';
import { getProcess } from './get-status';
import { isUnfinished, processView } from './process';

/** Seconds after which asking for an unfinished process again makes sense. */
const POLL_AFTER_SECONDS = '5';

/** §4.7 `GET /v2/data-import/accounts/<import-supplier-code>/<external-identifier>/` */
export const getStatus: AppHandler = async (c) => {
  const caller = await receiveCaller(c);
  if (caller instanceof Response) return caller;
  const found = await getProcess(c.var.deps, caller, c.req.param('supplier') ?? '', c.req.param('number') ?? '');
  switch (found.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'found':
      if (isUnfinished(found.process)) c.header('Retry-After', POLL_AFTER_SECONDS);
      return c.json(processView(found.process));
    default:
      return unreachable(found);
  }
};
