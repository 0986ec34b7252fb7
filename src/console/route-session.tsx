import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext, AppHandler } from '../http/app';
import { isCrossSite } from '../http/cross-site';
import { clientAddressOf, tooManyFailures } from '../http/failed-credentials';
import { isInterfaceOpen } from '../operator';
import { COOKIE, change, formOf, html, noticeOf, redirectTo, sessionOf, textOf } from './route-frame';
import { localCodeOf, SESSION_SECONDS, signIn, signInByCode, signOut } from './session';
import { SignInPage } from './view-sign-in';

const OPTIONS = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;

/** Only addresses of the console: a link to the sign-in page leads nowhere else. */
const safe = (next: string): string => (/^\/operator\/(?!\/)[^\\\p{Cc}]*$/u.test(next) ? next : '/operator/');

const isOpen = (c: AppContext): boolean => isInterfaceOpen(c.var.deps);

export const getSignIn: AppHandler = (c) => {
  const [digest, code] = [localCodeOf(c.var.deps, new URL(c.req.url).hostname), c.req.query('code')];
  return digest && code && isOpen(c) && c.req.method === 'GET'
    ? followLink(c, digest, code)
    : html(c, <SignInPage next={safe(c.req.query('next') ?? '')} notice={noticeOf(c)} isOpen={isOpen(c)} />);
};

/** The link that `npm start` prints. Its code is a secret that no other site knows, so following it needs no form. */
async function followLink(c: AppContext, digest: string, code: string): Promise<Response> {
  const cookie = await signInByCode(c.var.deps, digest, code);
  if (cookie !== undefined) return enter(c, cookie, '/operator/');
  if (await sessionOf(c)) return c.redirect('/operator/', 303);
  return refuse(
    c,
    '/operator/',
    'That link was used already, or npm start has printed a newer one. OPERATOR_TOKEN in .dev.vars signs you in.',
  );
}

export const postSignIn: AppHandler = async (c) => {
  const form = isCrossSite(c) ? undefined : await formOf(c);
  if (!form) return c.redirect('/operator/sign-in/', 303);
  const next = safe(textOf(form, 'next'));
  const cookie = await signIn(c.var.deps, textOf(form, 'token').trim(), clientAddressOf(c));
  return cookie !== undefined ? enter(c, cookie, next) : refuse(c, next, 'This is not the operator token.');
};

function enter(c: AppContext, cookie: string, next: string): Response {
  setCookie(c, COOKIE, cookie, { ...OPTIONS, maxAge: SESSION_SECONDS });
  return c.redirect(next, 303);
}

async function refuse(c: AppContext, next: string, why: string): Promise<Response> {
  const isTooMany = (await tooManyFailures(c, 'operator')) !== undefined;
  const wrong = isTooMany ? 'Too many tries. Wait ten seconds.' : why;
  return html(c, <SignInPage next={next} wrong={wrong} isOpen={isOpen(c)} />, isTooMany ? 429 : 401);
}

export const postSignOut: AppHandler = change(async (c, session) => {
  const isEnded = await signOut(c.var.deps, session.actor, getCookie(c, COOKIE) ?? '');
  deleteCookie(c, COOKIE, OPTIONS);
  return redirectTo(c, '/operator/sign-in/', isEnded ? 'signed_out' : 'signed_out_here');
});
