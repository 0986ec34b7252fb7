/**
 * The way every request of the operator interface begins: credential (401, or 429 where too many were wrong), media type (415), size (413), JSON (400).
 */
import { authenticateOperator, type Operator } from '../operator';
import { unreachable } from '../shared/unreachable';
import type { AppContext } from './app';
import { readJson } from './body';
import { tooManyFailures } from './failed-credentials';
import { bodyRefused } from './receive';
import { authenticationFailed, notAuthenticated } from './replies';

/** The operator that calls, or the answer that says why not. Without any configured credential nobody is let in. */
export async function receiveOperator(c: AppContext): Promise<Operator | Response> {
  const authentication = await authenticateOperator(c.var.deps, {
    authorization: c.req.header('Authorization'),
    assertion: c.req.header('Cf-Access-Jwt-Assertion'),
    isCrossSite: !isRead(c) && isCrossSite(c),
  });
  switch (authentication.kind) {
    case 'authenticated':
      return authentication.operator;
    case 'not_authenticated':
      return notAuthenticated(c, 'Bearer');
    case 'authentication_failed':
      return (await tooManyFailures(c, 'operator')) ?? authenticationFailed(c, 'Bearer');
    case 'keys_unavailable':
      throw new Error('the keys of Cloudflare Access cannot be read');
    default:
      return unreachable(authentication);
  }
}

export interface ReceivedFromOperator {
  readonly operator: Operator;
  readonly value: unknown;
}

/** The operator and a JSON body, or the answer that says why not. */
export async function receiveOperatorJson(c: AppContext): Promise<ReceivedFromOperator | Response> {
  const operator = await receiveOperator(c);
  if (operator instanceof Response) return operator;
  const body = await readJson(c);
  return body.kind === 'json' ? { operator, value: body.value } : bodyRefused(c, body);
}

/** True for a request that changes nothing. */
export const isRead = (c: AppContext): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** True for a request that a page of another site made the browser send. Programs send neither header. */
export function isCrossSite(c: AppContext): boolean {
  const [site, origin] = [c.req.header('Sec-Fetch-Site'), c.req.header('Origin')];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== new URL(c.req.url).origin;
}
