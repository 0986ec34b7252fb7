/**
 * The way every request of a platform system begins: its token (401, or 429 where too many were wrong).
 */
import { authenticatePlatform } from '../platform';
import type { AppContext } from './app';
import { tooManyFailures } from './failed-credentials';
import { authenticationFailed, notAuthenticated } from './replies';

/** Undefined for a platform system; else the answer that says why not. */
export async function refusePlatform(c: AppContext): Promise<Response | undefined> {
  switch (authenticatePlatform(c.var.deps, c.req.header('Authorization'))) {
    case 'authenticated':
      return undefined;
    case 'not_authenticated':
      return notAuthenticated(c, 'Bearer');
    case 'authentication_failed':
      return (await tooManyFailures(c, 'platform')) ?? authenticationFailed(c, 'Bearer');
  }
}
