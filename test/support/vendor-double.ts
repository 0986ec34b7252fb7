import { createRequire } from 'node:module';
import type { TestProject } from 'vitest/node';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { createTestHarness }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');

// Offline, the look-up of request metadata would only hold up the start.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false';
process.env['WRANGLER_SEND_METRICS'] ??= 'false';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stand-in for the payment vendors listens. */
    vendorUrl: string;
  }
}

/** Starts the vendor double once for all files, so that adapters speak to it over real HTTP. */
export default async function setup(project: TestProject) {
  const server = createTestHarness({ workers: [{ configPath: 'test/vendor-double/wrangler.toml' }] });
  const { url } = await server.listen();
  project.provide('vendorUrl', url.origin);
  return () => server.close();
}
