/**
 * Who may call, as middleware: `routes.ts` names one for each endpoint. It answers what is wrong with a credential before anything
 * else is looked at.
 */
import { authenticateOperator } from '../operator';
import { authenticatePlatform } from '../platform';
import { unreachable } from '../shared/unreachable';
import { authenticate } from '../tokens';
import type { AppMiddleware } from './app';
import { isCrossSite, isRead } from './cross-site';
import type { Who } from './endpoint';
import { RATE_PERIOD_SECONDS, tooManyFailures } from './failed-credentials';
import { authenticationFailed, notAuthenticated, throttled } from './replies';

/** Middleware that lets one kind of caller in; its type says which. */
export type Access<Let extends Who> = AppMiddleware & { readonly who: Let };
const letIn = <const Let extends Who>(who: Let, middleware: AppMiddleware): Access<Let> => Object.assign(middleware, { who });

/** Anybody. */
export const open = letIn('open', (_c, next) => next());

/** An importer whose token is good (401) and whose organisation is within its rate (429): `c.var.caller`. */
export const importer = letIn('importer', async (c, next) => {
  const authentication = await authenticate(c.req.header('Authorization'), c.var.deps);
  switch (authentication.kind) {
    case 'not_authenticated':
      return notAuthenticated(c);
    case 'authentication_failed':
      return authenticationFailed(c);
    case 'authenticated': {
      const { success } = await c.var.deps.env.ORGANISATION_RATE.limit({ key: authentication.caller.organisationId });
      if (!success) return throttled(c, RATE_PERIOD_SECONDS);
      c.set('caller', authentication.caller);
      return next();
    }
    default:
      return unreachable(authentication);
  }
});

/** The operator, by its token or an assertion of Cloudflare Access (401, or 429 where too many were wrong): `c.var.operator`. Without any configured credential nobody is let in. */
export const operator = letIn('operator', async (c, next) => {
  const authentication = await authenticateOperator(c.var.deps, {
    authorization: c.req.header('Authorization'),
    assertion: c.req.header('Cf-Access-Jwt-Assertion'),
    isCrossSite: !isRead(c) && isCrossSite(c),
  });
  switch (authentication.kind) {
    case 'authenticated':
      c.set('operator', authentication.operator);
      return next();
    case 'not_authenticated':
      return notAuthenticated(c, 'Bearer');
    case 'authentication_failed':
      return (await tooManyFailures(c, 'operator')) ?? authenticationFailed(c, 'Bearer');
    case 'keys_unavailable':
      throw new Error('the keys of Cloudflare Access cannot be read');
    default:
      return unreachable(authentication);
  }
});

/** A system of the platform, by its token (401, or 429 where too many were wrong). Without any configured token nobody is let in. */
export const platform = letIn('platform', async (c, next) => {
  switch (authenticatePlatform(c.var.deps, c.req.header('Authorization'))) {
    case 'authenticated':
      return next();
    case 'not_authenticated':
      return notAuthenticated(c, 'Bearer');
    case 'authentication_failed':
      return (await tooManyFailures(c, 'platform')) ?? authenticationFailed(c, 'Bearer');
  }
});
