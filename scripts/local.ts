/**
 * What the local scripts share: where the local state lies and what the demo organisation is called.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** wrangler's local D1, R2 and assets; git-ignored. */
export const STATE = join(ROOT, '.wrangler');
const LOCAL = join(STATE, 'local.json');

export const DEMO = {
  organisationId: 'org_demo',
  apiKeyId: 'key_demo',
  supplier: 'DEMO',
  documentsRoot: 'demo',
  documents: [
    'letters/welcome.pdf',
    'letters/complaint.pdf',
    'letters/meter-photo.jpg',
    'statements/2025-q3.pdf',
    'statements/2025-q4.pdf',
  ],
};

/** What the last `npm start` remembered; empty before the first. */
interface Local {
  readonly apiKey?: string;
  readonly url?: string;
  readonly pid?: number;
}

export function readLocal(): Local {
  return existsSync(LOCAL) ? JSON.parse(readFileSync(LOCAL, 'utf8')) : {};
}

export function writeLocal(value: Local) {
  mkdirSync(STATE, { recursive: true });
  writeFileSync(LOCAL, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

export function isAlive(pid: number | undefined) {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Leaves with a sentence for a person instead of a stack. */
export function stop(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
