/** Webhooks (§13): what a receiver verifies, by the convention of Standard Webhooks. Works in Node, browsers and Workers. */
import type { ImportEvent } from './answers';

/** A request is no webhook of this service, or cannot be taken for one. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** What `POST webhooks/{id}/test/` sends. */
export interface WebhookTestEvent {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly occurred_at: string;
  readonly data: { readonly webhook: string };
}

export interface VerifyOptions {
  /** How far the moment of sending may be from now, either way. Default 300. */
  readonly toleranceSeconds?: number;
}

/** The headers of a request: of `fetch`, or of Node's `http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';

/**
 * The event that a request to a webhook carries, if it was signed by the secret (or by one of several, while one is replaced).
 * Rejects with {@link WebhookError} for anything else. The body is the text as it was received: parsed and written anew it is
 * another. Deliveries come at least once: take an `id` that was seen before for a repeat.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<ImportEvent | WebhookTestEvent> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signature) throw new WebhookError('The request lacks the headers of a webhook.');
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= toleranceSeconds))
    throw new WebhookError('The webhook was sent too long ago, or is from the future.');
  const content = Uint8Array.from(new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  const given = signature.split(' ').flatMap((one) => (one.startsWith('v1,') ? (bytesIn(one.slice(3)) ?? []) : []));
  for (const each of typeof secret === 'string' ? [secret] : secret) if (await isSigned(content, given, each)) return JSON.parse(body);
  throw new WebhookError('The webhook is not signed by this secret.');
}

async function isSigned(content: Uint8Array<ArrayBuffer>, given: readonly Uint8Array<ArrayBuffer>[], secret: string): Promise<boolean> {
  const bytes = bytesIn(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new WebhookError('This is not the secret of a webhook: it begins with whsec_.');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // The platform compares in constant time.
  for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, content)) return true;
  return false;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
