/**
 * Requests that the service sends, signed by the convention of Standard Webhooks (https://www.standardwebhooks.com/), and where they may go.
 */
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { Problem } from './errors';
import { requiredLine } from './fields';
import { checked } from './reader';

const SECRET_PREFIX = 'whsec_';

/** The secret of an owner: `whsec_` and 32 bytes in base64, derived from the signing key and what names the owner. Nothing stores it. */
export const webhookSecret = (signingKey: string, owner: string): string =>
  SECRET_PREFIX + createHmac('sha256', signingKey).update(owner).digest('base64');

/** A request to be signed. */
export interface SignedRequest {
  /** The same at each try, so that the receiver knows a repeat. */
  readonly id: string;
  /** Unix milliseconds; sent in whole seconds. */
  readonly at: number;
  readonly body: string;
}

/** `v1,` and the HMAC-SHA256 of `{id}.{seconds}.{body}` in base64. */
export function signatureOf({ id, at, body }: SignedRequest, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const content = `${id}.${Math.floor(at / 1000)}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** What became of a request: any 2xx is taken. A reason is `status_503`, `time_out` or `network_error`; nothing of the answer is in it. */
export type Sent = { readonly kind: 'taken' } | { readonly kind: 'failed'; readonly reason: string };

const TIMEOUT_MILLISECONDS = 10_000;

/** Posts it, signed by each secret; while one is replaced there are two. No redirect is followed, and of the answer its status alone is read. */
export async function postSigned(url: string, request: SignedRequest, secrets: readonly string[]): Promise<Sent> {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': request.id,
        'webhook-timestamp': String(Math.floor(request.at / 1000)),
        'webhook-signature': secrets.map((secret) => signatureOf(request, secret)).join(' '),
      },
      body: request.body,
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    return answer.ok ? { kind: 'taken' } : { kind: 'failed', reason: `status_${answer.status}` };
  } catch {
    // Network and time-out errors alike; their texts may quote the address.
    return { kind: 'failed', reason: signal.aborted ? 'time_out' : 'network_error' };
  }
}

/** What is wrong with an address that is not public. */
export const NOT_PUBLIC: Problem = {
  code: 'invalid_url',
  detail: 'Enter an https address with a public host name, on port 443 or 8443, for example https://alerts.example.com/import.',
};

// The last label of a host name begins with a letter, of an IPv4 address with a digit; an IPv6 address is in brackets.
const PUBLIC =
  /https:\/\/(?!localhost\b|[^/?:]*\.(?:local|internal|localhost)(?:[/?:]|$))(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9](?::(?:443|8443))?(?:[/?][!-~]*)?/;
const LOCAL = /http:\/\/127\.0\.0\.1:[1-9][0-9]{1,4}(?:[/?][!-~]*)?/;
const ADDRESS = new RegExp(`^(?:${PUBLIC.source}|${LOCAL.source})$`);

/**
 * An address that requests may be sent to: https, a public host name, port 443 or 8443, no credentials. `http://127.0.0.1:port` is one
 * as well, for services on the developer's own machine: ask {@link isLocalUrl}.
 */
export const webhookUrl = checked(requiredLine(1_000), (text) => (ADDRESS.test(text) ? undefined : NOT_PUBLIC), {
  pattern: ADDRESS.source,
  minLength: 1,
  maxLength: 1_000,
});

/** True for an address of the machine itself. */
export const isLocalUrl = (url: string): boolean => url.startsWith('http:');
