/**
 * What every answer has, and what is answered when no handler did: unknown paths, wrong methods, our own failures.
 */
import type { Context, ErrorHandler, MiddlewareHandler, NotFoundHandler } from 'hono';
import { isErrorOfSql, isRefusedWrite } from '../db';
import type { DepsFrom } from '../deps';
import { NotSetUp } from '../shared/secrets';
import type { App, AppHandler } from './app';
import { methodNotAllowed, notFound, notSetUp, serverError } from './replies';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives the context its deps and request id, and every answer its id and security headers. */
export const envelope =
  (depsFrom: DepsFrom): MiddlewareHandler<App> =>
  async (c, next) => {
    const given = c.req.header('X-Request-Id');
    c.set('requestId', given && REQUEST_ID.test(given) ? given : crypto.randomUUID());
    c.set('deps', depsFrom(c.env, c.executionCtx));
    await next();
    // Of a HEAD only the head is sent.
    if (c.req.method === 'HEAD') await c.res.body?.cancel();
    // After the handler: raw Responses (streams, assets) would lose headers that were set before.
    const headers = headersOf(c);
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('Strict-Transport-Security', 'max-age=31536000');
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', policyOf(headers.get('Content-Type')));
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };

/**
 * The headers of the answer, with its id. `c.header` makes the answer anew each time, and its text a stream: it is for what was fetched,
 * whose headers cannot be changed.
 */
function headersOf(c: Context<App>): Headers {
  try {
    c.res.headers.set('X-Request-Id', c.var.requestId);
  } catch {
    c.header('X-Request-Id', c.var.requestId);
  }
  return c.res.headers;
}

/** Data loads nothing. A page sets its own policy; one that does not can at least not be framed. */
const policyOf = (contentType: string | null): string =>
  contentType?.startsWith('text/html') ? "frame-ancestors 'none'" : "default-src 'none'; frame-ancestors 'none'";

/** A path that is not percent-encoded UTF-8 names nothing: without this it would be taken as it is. */
export const onlyReadablePaths: MiddlewareHandler<App> = (c, next) => (isReadable(c.req.url) ? next() : Promise.resolve(notFound(c)));

function isReadable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(new URL(url).pathname);
    return true;
  } catch {
    return false;
  }
}

export const onError: ErrorHandler<App> = (error, c) => {
  c.var.deps.log.error('request_failed', error, { request_id: c.var.requestId, method: c.req.method, route: c.req.routePath });
  return error instanceof NotSetUp ? notSetUp(c) : serverError(c, retryAfterSeconds(error));
};

/** A bug, ours or in what we ask of SQL: sending the request again does not help. */
const isBug = (error: unknown): boolean =>
  isErrorOfSql(error) || [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);

/** When a request that met this failure may be sent again; undefined where it would fail again. */
export function retryAfterSeconds(error: unknown): number | undefined {
  if (isBug(error)) return undefined;
  return isRefusedWrite(error) ? 60 : 5;
}

export const onNotFound: NotFoundHandler<App> = (c) => notFound(c);

/** Where GET is answered, so is HEAD. */
export const onOtherMethod = (methods: readonly string[]): AppHandler => {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (c) => methodNotAllowed(c, allowed);
};
