/**
 * The way every request of an importer begins, in the order of judgement: token (401), rate (429), media type (415),
 * size (413), JSON (400). The path and method were judged by the router.
 */

import { unreachable } from '../shared/unreachable';
import { authenticate, type Caller, isKeyActive } from '../tokens';
import type { AppContext } from './app';
import { type Body, MAX_BODY_BYTES, readJson } from './body';
import { RATE_PERIOD_SECONDS } from './failed-credentials';
import { authenticationFailed, notAuthenticated, parseError, payloadTooLarge, throttled, unsupportedMediaType } from './replies';

/** A caller whose token is good and whose organisation is within its rate, or the answer that says why not. */
export async function receiveCaller(c: AppContext): Promise<Caller | Response> {
  const authentication = await authenticate(c.req.header('Authorization'), c.var.deps);
  switch (authentication.kind) {
    case 'not_authenticated':
      return notAuthenticated(c);
    case 'authentication_failed':
      return authenticationFailed(c);
    case 'authenticated': {
      const { success } = await c.var.deps.env.ORGANISATION_RATE.limit({ key: authentication.caller.organisationId });
      return success ? authentication.caller : throttled(c, RATE_PERIOD_SECONDS);
    }
    default:
      return unreachable(authentication);
  }
}

export interface Received {
  readonly caller: Caller;
  /** The decoded JSON value. */
  readonly value: unknown;
  /** The body as it was sent. */
  readonly text: string;
}

/** A caller and a JSON body, or the answer that says why not. */
export async function receiveJson(c: AppContext): Promise<Received | Response> {
  const caller = await receiveCaller(c);
  if (caller instanceof Response) return caller;
  const body = await readJson(c);
  if (body.kind === 'json') return { caller, value: body.value, text: body.text };
  // A revoked key is told before anything about the body; only here nothing else reads the database.
  if (!(await isKeyActive(c.var.deps, caller))) return authenticationFailed(c);
  return bodyRefused(c, body);
}

export function bodyRefused(c: AppContext, body: Exclude<Body, { kind: 'json' }>): Response {
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
