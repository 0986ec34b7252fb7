import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { TestProject } from 'vitest/node';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { createTestHarness }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');

process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false';
process.env['WRANGLER_SEND_METRICS'] ??= 'false';

const OPERATOR_TOKEN = 'kit-operator-token-of-at-least-32-bytes';
/** As npm start makes one: the service knows its digest. */
const SIGN_IN_CODE = 'kit-sign-in-code';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the service under test listens, and what opens its operator interface. */
    service: { readonly url: string; readonly operatorToken: string; readonly signInCode: string };
  }
}

/** Builds the kit, and starts the whole service once for all its files, over real HTTP. */
export default async function setup(project: TestProject) {
  execFileSync(process.execPath, ['scripts/build.ts']);
  const secrets = {
    TOKEN_SIGNING_KEY: 'kit-signing-key-of-at-least-32-bytes',
    OPERATOR_TOKEN,
    LOCAL_SIGN_IN_SHA256: createHash('sha256').update(SIGN_IN_CODE).digest('hex'),
    WEBHOOK_SIGNING_KEY: 'kit-webhook-key-of-at-least-32-bytes',
    WEBHOOK_ALLOW_LOCAL: 'on',
    SANDBOX_VENDOR: 'on',
    RETRY_BASE_SECONDS: '1',
  };
  const server = createTestHarness({ workers: [{ configPath: 'wrangler.toml', secrets }] });
  const { url } = await server.listen();
  await server.getWorker().applyD1Migrations('DB');
  project.provide('service', { url: url.origin, operatorToken: OPERATOR_TOKEN, signInCode: SIGN_IN_CODE });
  return () => server.close();
}
