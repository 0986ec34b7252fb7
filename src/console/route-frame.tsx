/**
 * The frame of every page: who may see it, and what its answer carries. Nothing is shown without a session; what changes
 * something is a POST of this site, with the session's own form token.
 */

import type { ErrorHandler, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { App, AppContext, AppHandler, AppMiddleware } from '../http/app';
import { isCrossSite, isRead } from '../http/cross-site';
import { retryAfterSeconds } from '../http/failures';
import type { LeftOutRow } from '../import-processes';
import { mayDo, type Role } from '../operator';
import { NotSetUp } from '../shared/secrets';
import { BarePage } from './layout';
import { NOTICES } from './notices';
import { isFormOf, readSession, type Session } from './session';

export const COOKIE = '__Host-operator';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: MiddlewareHandler<App> = async (c, next) => {
  await next();
  if (!c.res.headers.get('Content-Type')?.startsWith('text/html')) return;
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
};

type Handler<Loaded extends readonly unknown[]> = (c: AppContext, session: Session, ...loaded: Loaded) => Response | Promise<Response>;

/** The role that a page or a change needs, as the console's map says. */
export const needs =
  (role: Role): AppMiddleware =>
  (c, next) => {
    c.set('neededRole', role);
    return next();
  };

/** A page for whoever is signed in, with the role that the map names: to look is enough unless it does. */
export const page =
  (handler: Handler<[]>): AppHandler =>
  async (c) => {
    const session = await sessionOf(c);
    if (!session) return signInFirst(c);
    const needed = c.get('neededRole') ?? 'read';
    return mayDo(session.role, needed) ? handler(c, session) : notAllowed(c, session, needed);
  };

/** Rows of one page of a list. */
export const PAGE = 50;

/** Where the next page of this list is; `path` where the address is not that of the list. */
export function nextPage(c: AppContext, cursor: string | undefined, path?: string): string | undefined {
  if (cursor === undefined) return undefined;
  const next = new URL(path ?? c.req.url, c.req.url);
  next.searchParams.set('cursor', cursor);
  next.searchParams.delete('told');
  return next.pathname + next.search;
}

const MAX_FORM_BYTES = 65_536;

/** A change by whoever is signed in, sent by a form of this very session. Where the map names no role only administrators make it. */
export const change =
  (handler: Handler<[FormData]>): AppHandler =>
  async (c) => {
    const session = await sessionOf(c);
    if (!session) return signInFirst(c);
    const form = isCrossSite(c) ? undefined : await formOf(c);
    if (!form || !isFormOf(session, textOf(form, 'form_token'))) return outOfDate(c);
    const needed = c.get('neededRole') ?? 'administer';
    if (!mayDo(session.role, needed)) return notAllowed(c, session, needed);
    return handler(c, session, form);
  };

/** The form of a request; undefined if it is none, cannot be read, or is larger than any of ours. */
export async function formOf(c: AppContext): Promise<FormData | undefined> {
  const size = Number(c.req.header('Content-Length') ?? Number.NaN);
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(c.req.header('Content-Type') ?? '');
  if (!isForm || !(size <= MAX_FORM_BYTES)) return undefined;
  try {
    return await c.req.formData();
  } catch {
    // Not what its media type says.
    return undefined;
  }
}

/** A field of a form; `''` if it is not there. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

export const html = (
  c: AppContext,
  content: JSX.Element,
  status: 200 | 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503 = 200,
): Response | Promise<Response> => c.html(content, status);

/** Goes to a page that says what happened. */
export const redirectTo = (c: AppContext, path: string, notice: string, count?: number): Response =>
  c.redirect(`${path}${path.includes('?') ? '&' : '?'}told=${notice}${count === undefined ? '' : `&n=${count}`}`, 303);

/** Goes to a page that says how many were retried or, where some could not be, how many those are. */
export function redirectRetried(
  c: AppContext,
  path: string,
  notice: string,
  outcome: { readonly retried: number; readonly leftOut: LeftOutRow | undefined },
) {
  const left = (outcome.leftOut?.windowOver ?? 0) + (outcome.leftOut?.payloadEmptied ?? 0);
  return left > 0 ? redirectTo(c, path, 'not_all_retried', left) : redirectTo(c, path, notice, outcome.retried);
}

/** What the address says has just happened, in words. */
export function noticeOf(c: AppContext): string | undefined {
  const words = NOTICES.get(c.req.query('told') ?? '');
  return words?.(Number(c.req.query('n')) || 0);
}

export const nothingHere = (c: AppContext): Response | Promise<Response> =>
  html(
    c,
    <BarePage title="Not found">
      <div class="ask">
        <h1>There is nothing here</h1>
        <p class="soft">The address may be misspelt, or what it named is not there.</p>
        <p>
          <a class="button" href="/operator/">
            Back to the overview
          </a>
        </p>
      </div>
    </BarePage>,
    404,
  );

/** Our own failure, for a person: not its cause, but the id under which the log says it. */
export const wentWrong: ErrorHandler<App> = (error, c) => {
  c.var.deps.log.error('page_failed', error, { request_id: c.var.requestId, method: c.req.method, route: c.req.routePath });
  if (error instanceof NotSetUp) return notSetUp(c);
  const retryAfter = retryAfterSeconds(error);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return html(
    c,
    <BarePage title="Something went wrong">
      <div class="ask">
        <h1>Something went wrong here</h1>
        <p class="soft">Try again in a moment. If it stays like this, the log says why under this id:</p>
        <p>
          <code>{c.var.requestId}</code>
        </p>
      </div>
    </BarePage>,
    500,
  );
};

const notSetUp = (c: AppContext): Response | Promise<Response> =>
  html(
    c,
    <BarePage title="Not set up">
      <div class="ask">
        <h1>The service is not set up</h1>
        <p class="soft">
          A secret is missing or too short; <a href="/readyz">/readyz</a> says which.
        </p>
      </div>
    </BarePage>,
    503,
  );

const notAllowed = (c: AppContext, { actor, role }: Session, needed: Role): Response | Promise<Response> =>
  html(
    c,
    <BarePage title="Not allowed">
      <div class="ask">
        <h1>This needs the role “{needed}”</h1>
        <p class="soft">
          You are <b>{actor}</b> with the role “{role}”. Nothing was changed. Ask an administrator for a token that may.
        </p>
        <p>
          <a class="button" href="/operator/">
            Back to the overview
          </a>
        </p>
      </div>
    </BarePage>,
    403,
  );

const outOfDate = (c: AppContext): Response | Promise<Response> =>
  html(
    c,
    <BarePage title="Out of date">
      <div class="ask">
        <h1>That page was out of date</h1>
        <p class="soft">Nothing was changed. Open the page again and repeat what you were doing.</p>
        <p>
          <a class="button" href="/operator/">
            Back to the overview
          </a>
        </p>
      </div>
    </BarePage>,
    403,
  );

/** The session of whoever asks, or undefined. */
export const sessionOf = (c: AppContext): Promise<Session | undefined> =>
  readSession(c.var.deps, {
    cookie: getCookie(c, COOKIE),
    assertion: c.req.header('Cf-Access-Jwt-Assertion'),
    isCrossSite: !isRead(c) && isCrossSite(c),
  });

function signInFirst(c: AppContext): Response {
  if (c.req.header('HX-Request') !== undefined || !isRead(c)) return c.text('Sign in first.', 401);
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`/operator/sign-in/?next=${encodeURIComponent(pathname + search)}`, 303);
}
