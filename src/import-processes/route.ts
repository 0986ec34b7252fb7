import type * as z from 'zod';
import type { AppContext } from '../http/app';
import { linkToNext, numberIn } from '../http/number-cursor';
import { authenticationFailed, invalidTransition, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { textStream } from '../http/stream';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import { cancelImport } from './cancel/cancel';
import * as declared from './endpoints';
import { type ListRequest, listPage, listWhole } from './lists/list';
import { isUnfinished, processView, transferView } from './process';
import type { listQuery } from './schema';
import { type FoundProcess, getProcess } from './status/get-status';

/** Seconds after which asking for an unfinished process again makes sense. */
const POLL_AFTER_SECONDS = '5';
const DEFAULT_LIMIT = 1_000;

/** §4.7 `GET /v2/data-import/accounts/<import-supplier-code>/<external-identifier>/` */
export const getStatus = route(declared.getImportProcess, (c) => {
  const { import_supplier_code, external_identifier } = c.req.valid('param');
  return replyWithProcess(c, import_supplier_code, external_identifier, processView);
});

/** §4.8 `GET /v1/data-import/account-transfer-status/<import-supplier-code>/<external-account-number>/` */
export const getTransferStatus = route(declared.getTransferStatus, (c) => {
  const { import_supplier_code, external_account_number } = c.req.valid('param');
  return replyWithProcess(c, import_supplier_code, external_account_number, transferView);
});

type Found = Extract<FoundProcess, { readonly kind: 'found' }>['process'];

async function replyWithProcess(c: AppContext, supplierCode: string, number: string, view: (process: Found) => object): Promise<Response> {
  const { caller } = c.var;
  const found = await getProcess(c.var.deps, caller, supplierCode, number);
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
export const deleteImport = route(declared.cancelImport, async (c) => {
  const { caller } = c.var;
  const { import_supplier_code, external_identifier } = c.req.valid('param');
  const outcome = await cancelImport(c.var.deps, caller, import_supplier_code, external_identifier);
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
});

/** §4.9 `GET /v1/data-import/all-account-import-processes/<import-supplier-code>/` */
export const getAll = route(declared.listAccountImports, (c) =>
  replyWithList(c, 'all', c.req.valid('param').import_supplier_code, c.req.valid('query')),
);

/** §4.10 `GET /v1/data-import/pending-account-import-processes/<import-supplier-code>/` */
export const getPending = route(declared.listPendingImports, (c) =>
  replyWithList(c, 'pending', c.req.valid('param').import_supplier_code, c.req.valid('query')),
);

/** §4.11 `GET /v1/data-import/imported-account-import-processes/<import-supplier-code>/` */
export const getImported = route(declared.listImportedAccounts, (c) =>
  replyWithList(c, 'imported', c.req.valid('param').import_supplier_code, c.req.valid('query')),
);

async function replyWithList(
  c: AppContext,
  kind: ListRequest['kind'],
  supplierCode: string,
  wanted: z.output<typeof listQuery>,
): Promise<Response> {
  const { caller } = c.var;
  const request: ListRequest = { caller, kind, supplierCode };
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
