/**
 * JSON bodies, as middleware: media type (415), size (413), JSON (400). It comes after the middleware that says who may call.
 */

import { MAX_BODY_BYTES } from '../shared/sizes';
import { unreachable } from '../shared/unreachable';
import { type Caller, isKeyActive } from '../tokens';
import type { AppContext, AppMiddleware } from './app';
import { type Body, readJson } from './body';
import { authenticationFailed, parseError, payloadTooLarge, unsupportedMediaType } from './replies';

/** Reads the body: `c.var.body`. */
export const json: AppMiddleware = async (c, next) => {
  // The router asks every handler twice where a path is written like its own pattern (`/runs/:import_supplier_code/`); a body can be read once.
  const read: AppContext['var']['body'] | undefined = c.get('body');
  if (read) return next();
  const body = await readJson(c);
  if (body.kind === 'json') {
    c.set('body', body);
    return next();
  }
  // A revoked key is refused before anything is said about the body. Only here nothing else reads the database, so this asks.
  const caller: Caller | undefined = c.get('caller');
  return caller && !(await isKeyActive(c.var.deps, caller)) ? authenticationFailed(c) : bodyRefused(c, body);
};

function bodyRefused(c: AppContext, body: Exclude<Body, { kind: 'json' }>): Response {
  switch (body.kind) {
    case 'unsupported_media_type':
      return unsupportedMediaType(c, body.problem, 'application/json');
    case 'too_large':
      return payloadTooLarge(c, MAX_BODY_BYTES);
    case 'cut':
      return parseError(c, 'JSON parse error: the body ended before it was whole. Send it again.');
    case 'malformed':
      return parseError(c, body.detail);
    default:
      return unreachable(body);
  }
}
