/**
 * What only Cloudflare and the deployed Worker know. Whoever does not answer leaves a gap, and no error.
 */
import * as z from 'zod';
import type { Asked, Binding } from './check.ts';

/** Reasons of /readyz that name a secret. */
const SECRETS = new Map([
  ['signing_key', 'TOKEN_SIGNING_KEY'],
  ['previous_signing_key', 'TOKEN_SIGNING_KEY_PREVIOUS'],
  ['operator_token', 'OPERATOR_TOKEN'],
  ['platform_token', 'PLATFORM_TOKEN'],
  ['previous_platform_token', 'PLATFORM_TOKEN_PREVIOUS'],
  ['webhook_signing_key', 'WEBHOOK_SIGNING_KEY'],
]);

const TIMEOUT_MILLISECONDS = 10_000;

/** Runs wrangler and answers what it printed; rejects with what it said if it failed. `input` is its standard input. */
export type Wrangler = (args: readonly string[], input?: string) => Promise<string>;

/** The part of `fetch` that is needed. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** `url`: where the deployed Worker is, if it is known. */
export async function ask(environment: string, url: string | undefined, wrangler: Wrangler, get: Fetch = fetch): Promise<Asked> {
  const json: Json = async (...args) => JSON.parse(await wrangler(args));
  const answered = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
  return {
    secrets: await answered(secrets(environment, json)),
    deployed: await answered(deployed(environment, json)),
    tooShort: await answered(tooShort(url, get)),
  };
}

/** What wrangler prints as JSON: its shape is wrangler's, so what is not as expected counts as no answer. */
type Json = (...args: readonly string[]) => Promise<unknown>;

const named = z.array(z.object({ name: z.string() }));
const status = z.object({ versions: z.tuple([z.object({ version_id: z.string() })]).rest(z.unknown()) });
const version = z.object({
  resources: z.object({ bindings: z.array(z.object({ type: z.string(), name: z.string(), text: z.string().exactOptional() })) }),
});
const readiness = z.object({ reasons: z.array(z.object({ name: z.string() })) });

async function secrets(environment: string, json: Json): Promise<string[]> {
  return named.parse(await json('secret', 'list', '--env', environment, '--format', 'json')).map(({ name }) => name);
}

async function deployed(environment: string, json: Json): Promise<Binding[]> {
  const [{ version_id: id }] = status.parse(await json('deployments', 'status', '--env', environment, '--json')).versions;
  return version.parse(await json('versions', 'view', id, '--env', environment, '--json')).resources.bindings;
}

async function tooShort(url: string | undefined, get: Fetch): Promise<string[] | undefined> {
  if (!url) return undefined;
  const answer = await get(`${url.replace(/\/+$/, '')}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  if (answer.status === 200) return [];
  return readiness.parse(await answer.json()).reasons.flatMap(({ name }) => SECRETS.get(name) ?? []);
}
