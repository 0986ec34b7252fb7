/**
 * Who may call, as middleware: `routes.ts` names one for each endpoint. It answers what is wrong with a credential before anything
 * else is looked at.
 */
import { authenticateOperator, mayDo, type Role } from '../operator';
import { authenticatePlatform } from '../platform';
import { unreachable } from '../shared/unreachable';
import { authenticate, isKeyActive } from '../tokens';
import type { AppMiddleware } from './app';
import { isCrossSite, isRead } from './cross-site';
import { NEEDED_ROLE, type Who } from './endpoint';
import { clientAddressOf, ORGANISATION_REQUESTS, RATE_PERIOD_SECONDS, tooManyFailures } from './failed-credentials';
import { authenticationFailed, notAuthenticated, permissionDenied, readOnlyKey, throttled } from './replies';

/** Middleware that lets one kind of caller in; its type says which. */
export type Access<Let extends Who> = AppMiddleware & { readonly who: Let };
const letIn = <const Let extends Who>(who: Let, middleware: AppMiddleware): Access<Let> => Object.assign(middleware, { who });

/** Anybody. */
export const open = letIn('open', (_c, next) => next());

/** What an organisation may send, as `RateLimit-Policy` says it. How much is left cannot be said: the platform only answers whether a request was too much. */
const RATE_POLICY = `"organisation";q=${ORGANISATION_REQUESTS};w=${RATE_PERIOD_SECONDS}`;

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
      c.header('RateLimit-Policy', RATE_POLICY);
      if (!success) return throttled(c, RATE_PERIOD_SECONDS);
      c.set('caller', authentication.caller);
      await next();
      c.res.headers.set('RateLimit-Policy', RATE_POLICY);
      return;
    }
    default:
      return unreachable(authentication);
  }
});

/** The same with a key that may change something: 403 for one that is read-only, after the 401 of a key that is not in force. */
export const writer = letIn('writer', (c, next) =>
  importer(c, async () => {
    if (!c.var.caller.isReadOnly) return next();
    c.res = (await isKeyActive(c.var.deps, c.var.caller)) ? readOnlyKey(c) : authenticationFailed(c);
  }),
);

/**
 * An operator whose role may do this (403), by a token or an assertion of Cloudflare Access (401, or 429 where too many were wrong):
 * `c.var.operator`. Without any configured credential nobody is let in.
 */
const operatorWho =
  (needed: Role): AppMiddleware =>
  async (c, next) => {
    const authentication = await authenticateOperator(c.var.deps, {
      authorization: c.req.header('Authorization'),
      assertion: c.req.header('Cf-Access-Jwt-Assertion'),
      isCrossSite: !isRead(c) && isCrossSite(c),
      clientAddress: clientAddressOf(c),
    });
    switch (authentication.kind) {
      case 'authenticated':
        if (!mayDo(authentication.operator.role, needed)) return permissionDenied(c, needed);
        c.set('operator', authentication.operator);
        return next();
      case 'not_authenticated':
        return notAuthenticated(c, 'Bearer');
      case 'authentication_failed':
        return (await tooManyFailures(c, 'operator')) ?? authenticationFailed(c, 'Bearer');
      case 'throttled':
        return throttled(c, RATE_PERIOD_SECONDS);
      case 'keys_unavailable':
        throw new Error('the keys of Cloudflare Access cannot be read');
      default:
        return unreachable(authentication);
    }
  };

/** Looks, without personal data. */
export const reading = letIn('reading', operatorWho(NEEDED_ROLE.reading));
/** Moves migrations on, and sees personal data where that is audited. */
export const operating = letIn('operating', operatorWho(NEEDED_ROLE.operating));
/** Decides who has access, and what is there. */
export const administering = letIn('administering', operatorWho(NEEDED_ROLE.administering));

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
