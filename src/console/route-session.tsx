import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext, AppHandler } from '../http/app';
import { tooManyFailures } from '../http/failed-credentials';
import { isCrossSite } from '../http/receive-operator';
import { operatorTokenOf } from '../operator';
import { COOKIE, change, formOf, html, tell, textOf, toldBy } from './route-frame';
import { SESSION_SECONDS, signIn, signOut } from './session';
import { SignInPage } from './view-sign-in';

const OPTIONS = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;

/** Only addresses of the console: a link to the sign-in page leads nowhere else. */
const safe = (next: string): string => (/^\/operator\/(?!\/)[^\\\p{Cc}]*$/u.test(next) ? next : '/operator/');

const isOpen = (c: AppContext): boolean => operatorTokenOf(c.var.deps) !== undefined;

export const getSignIn: AppHandler = (c) =>
  html(c, <SignInPage next={safe(c.req.query('next') ?? '')} told={toldBy(c)} isOpen={isOpen(c)} />);

export const postSignIn: AppHandler = async (c) => {
  const form = isCrossSite(c) ? undefined : await formOf(c);
  if (!form) return c.redirect('/operator/sign-in/', 303);
  const next = safe(textOf(form, 'next'));
  const cookie = await signIn(c.var.deps, textOf(form, 'token').trim());
  if (cookie !== undefined) {
    setCookie(c, COOKIE, cookie, { ...OPTIONS, maxAge: SESSION_SECONDS });
    return c.redirect(next, 303);
  }
  const isTooMany = (await tooManyFailures(c, 'operator')) !== undefined;
  const wrong = isTooMany ? 'Too many tries. Wait ten seconds.' : 'This is not the operator token.';
  return html(c, <SignInPage next={next} wrong={wrong} isOpen={isOpen(c)} />, isTooMany ? 429 : 401);
};

export const postSignOut: AppHandler = change(async (c) => {
  const isEnded = await signOut(c.var.deps, getCookie(c, COOKIE) ?? '');
  deleteCookie(c, COOKIE, OPTIONS);
  return tell(c, '/operator/sign-in/', isEnded ? 'signed_out' : 'signed_out_here');
});
