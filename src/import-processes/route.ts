import type * as z from 'zod';
import type { AppContext, AppHandler } from '../http/app';
import { linkToNext, numberIn } from '../http/number-cursor';
import type { QueryHandler } from '../http/query';
import { authenticationFailed, invalidTransition, notFound, validationFailed } from '../http/replies';
import { textStream } from '../http/stream';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import { cancelImport } from './cancel/cancel';
import { type ListRequest, listPage, listWhole } from './lists/list';
import { isUnfinished, processView, transferView } from './process';
import type { listQuery } from './schema';
import { type FoundProcess, getProcess } from './status/get-status';

/** Seconds after which asking for an unfinished process again makes sense. */
const POLL_AFTER_SECONDS = '5';
const DEFAULT_LIMIT = 1_000;

/** §4.7 `GET /v2/data-import/accounts/<import-supplier-code>/<external-identifier>/` */
export const getStatus: AppHandler = (c) => replyWithProcess(c, processView);

/** §4.8 `GET /v1/data-import/account-transfer-status/<import-supplier-code>/<external-account-number>/` */
export const getTransferStatus: AppHandler = (c) => replyWithProcess(c, transferView);

type Found = Extract<FoundProcess, { readonly kind: 'found' }>['process'];

async function replyWithProcess(c: AppContext, view: (process: Found) => object): Promise<Response> {
  const { caller } = c.var;
  const found = await getProcess(c.var.deps, caller, c.req.param('supplier') ?? '', c.req.param('number') ?? '');
  switch (found.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'found':
      if (isUnfinished(found.process)) c.header('Retry-After', POLL_AFTER_SECONDS);
      return c.json(view(found.process));
    default:
      return unreachable(found);
  }
}

/** Ours: `DELETE /v2/data-import/accounts/<import-supplier-code>/<external-identifier>/` cancels an import that is PENDING. */
export const deleteImport: AppHandler = async (c) => {
  const { caller } = c.var;
  const outcome = await cancelImport(c.var.deps, caller, c.req.param('supplier') ?? '', c.req.param('number') ?? '');
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'not_pending':
      return invalidTransition(c, 'Only an import that is PENDING can be cancelled.');
    case 'cancelled':
      return c.body(null, 204);
    default:
      return unreachable(outcome);
  }
};

/** §4.9 `GET /v1/data-import/all-account-import-processes/<import-supplier-code>/` */
export const getAll: QueryHandler<typeof listQuery> = (c) => replyWithList(c, 'all', c.req.valid('query'));

/** §4.10 `GET /v1/data-import/pending-account-import-processes/<import-supplier-code>/` */
export const getPending: QueryHandler<typeof listQuery> = (c) => replyWithList(c, 'pending', c.req.valid('query'));

/** §4.11 `GET /v1/data-import/imported-account-import-processes/<import-supplier-code>/` */
export const getImported: QueryHandler<typeof listQuery> = (c) => replyWithList(c, 'imported', c.req.valid('query'));

async function replyWithList(c: AppContext, kind: ListRequest['kind'], wanted: z.output<typeof listQuery>): Promise<Response> {
  const { caller } = c.var;
  const request: ListRequest = { caller, kind, supplierCode: c.req.param('supplier') ?? '' };
  const isWhole = wanted.limit === undefined && wanted.cursor === undefined;
  const limit = wanted.limit ?? DEFAULT_LIMIT;
  const list = isWhole ? await listWhole(c.var.deps, request) : await listPage(c.var.deps, request, limit, numberIn(wanted.cursor));
  switch (list.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'unknown_cursor':
      return validationFailed(c, [fieldError(['cursor'], 'invalid', 'Take the cursor from the Link header of the page before.')]);
    case 'whole':
      return new Response(textStream(c.var.deps, list.pieces), { headers: { 'Content-Type': 'application/json' } });
    case 'page':
      if (list.nextCursor !== undefined) c.header('Link', linkToNext(c, { limit: String(limit) }, list.nextCursor));
      return c.json(list.items);
    default:
      return unreachable(list);
  }
}
