/** A browser that is signed in to the operator console. */
import { env, exports } from 'cloudflare:workers';
import { anAddress } from './given';

const ORIGIN = 'https://import.test';

export interface Visited {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads a page, or sends a form to it; redirects are not followed. */
export async function visit(path: string, Cookie: string, form?: Record<string, string>): Promise<Visited> {
  const headers = {
    Cookie,
    Origin: ORIGIN,
    'CF-Connecting-IP': anAddress(),
    ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
  };
  const sent = form ? { method: 'POST', body: new URLSearchParams(form).toString() } : {};
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}`, { headers, redirect: 'manual', ...sent }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Its cookie, and the token of its forms. */
export async function signedIn(): Promise<{ readonly Cookie: string; readonly form_token: string }> {
  const { headers } = await visit('/operator/sign-in/', '', { token: env.OPERATOR_TOKEN ?? '', next: '/operator/' });
  const Cookie = headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const { text } = await visit('/operator/organisations/', Cookie);
  return { Cookie, form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}
