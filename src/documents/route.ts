import type { AppContext } from '../http/app';
import { encodingOf, IDENTITY } from '../http/body';
import { linkToNext, numberIn } from '../http/number-cursor';
import {
  authenticationFailed,
  documentAlreadyExists,
  lengthRequired,
  notFound,
  parseError,
  payloadTooLarge,
  unsupportedMediaType,
  validationFailed,
} from '../http/replies';
import { route } from '../http/route';
import { fieldError } from '../shared/errors';
import { MAX_DOCUMENT_BYTES } from '../shared/sizes';
import { unreachable } from '../shared/unreachable';
import { isKeyActive } from '../tokens';
import * as declared from './endpoints';
import { findDocuments } from './find';
import { listDocuments, type StoredDocument } from './list';
import { uploadDocument } from './upload';

const DEFAULT_LIMIT = 200;

/** §4.16 `POST /v2/data-import/documents/check/`: which documents are there. 200, 400, 401, 404. */
export const postDocumentsCheck = route(declared.checkDocuments, async (c) => {
  const outcome = await findDocuments(c.var.deps, c.var.caller, c.var.body.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'found':
      return c.json({ found: outcome.found, missing: outcome.missing, invalid: outcome.invalid });
    default:
      return unreachable(outcome);
  }
});

/** §4.17 `PUT /v2/data-import/documents/<supplier>/<path>`: stores a document, never over another. 200, 201, 400, 401, 404, 409, 411, 413, 415. */
export const putDocument = route(declared.uploadDocument, async (c) => {
  const { caller } = c.var;
  const { import_supplier_code: supplierCode, document_path } = c.req.valid('param');
  const length = c.req.header('Content-Length') ?? '';
  const refused = headRefused(c, length);
  if (refused) return (await isKeyActive(c.var.deps, caller)) ? refused : authenticationFailed(c);
  const outcome = await uploadDocument(c.var.deps, caller, {
    supplierCode,
    // Every path also answers without its last slash, so one of them is none of the document's.
    path: document_path.replace(/\/$/, ''),
    size: Number(length),
    contentType: c.req.header('Content-Type')?.trim() || undefined,
    contentMd5: c.req.header('Content-MD5'),
    reprDigest: c.req.header('Repr-Digest'),
    body: c.req.raw.body,
  });
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'cut':
      c.var.deps.log.info('body_cut', { request_id: c.var.requestId, method: c.req.method, route: c.req.routePath });
      return parseError(c, 'The document ended before its Content-Length. Send it again.');
    case 'exists':
      return documentAlreadyExists(c);
    case 'same':
      return c.json(documentView(outcome.document));
    case 'stored':
      return c.json(documentView(outcome.document), 201);
    default:
      return unreachable(outcome);
  }
});

/** `type/subtype` and parameters, as a header has them. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;[\x20-\x7e]{0,256})?$/;

/** What of the head of a document is not taken. */
function headRefused(c: AppContext, length: string): Response | undefined {
  const type = c.req.header('Content-Type')?.trim() ?? '';
  const isType = type === '' || MEDIA_TYPE.test(type);
  if (!isType) return unsupportedMediaType(c, 'type', 'a media type such as application/pdf');
  if (encodingOf(c.req.raw.headers) !== IDENTITY) return unsupportedMediaType(c, 'encoding', '');
  if (!/^\d{1,15}$/.test(length)) return lengthRequired(c);
  return Number(length) > MAX_DOCUMENT_BYTES ? payloadTooLarge(c, MAX_DOCUMENT_BYTES) : undefined;
}

/** §4.18 `GET /v2/data-import/documents/<supplier>/?prefix=&limit=&cursor=`: the supplier's documents. 200, 400, 401, 404. */
export const getDocuments = route(declared.listDocuments, async (c) => {
  const { caller } = c.var;
  const wanted = c.req.valid('query');
  const { prefix = '', limit = DEFAULT_LIMIT } = wanted;
  const { import_supplier_code: supplierCode } = c.req.valid('param');
  const page = await listDocuments(c.var.deps, caller, { supplierCode, prefix, limit, cursor: numberIn(wanted.cursor) });
  switch (page.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'prefix_too_long':
      return validationFailed(c, [fieldError(['prefix'], 'invalid', 'No document path is as long as this. Shorten it.')]);
    case 'unknown_cursor':
      return validationFailed(c, [fieldError(['cursor'], 'invalid', 'Take the cursor from the Link header of the page before.')]);
    case 'page':
      if (page.cursor !== undefined) c.header('Link', linkToNext(c, { ...(prefix ? { prefix } : {}), limit: String(limit) }, page.cursor));
      return c.json(page.documents.map(documentView));
    default:
      return unreachable(page);
  }
});

const documentView = ({ path, size, etag }: StoredDocument) => ({ document_path: path, size, etag });
