/** Where the service is and which key opens it: from the environment, else from the file that `login` writes. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataImportClient } from '../client';
import { stoppable, UsageError } from './exit';
import { Outage } from './outage';

export interface Access {
  readonly url: string;
  readonly apiKey: string;
}

/** `$XDG_CONFIG_HOME/data-import/config.json`, or the same under `~/.config`. */
export function configFile(): string {
  const home = process.env['XDG_CONFIG_HOME'];
  return join(home?.startsWith('/') ? home : join(homedir(), '.config'), 'data-import', 'config.json');
}

/** Only its owner can read the file: it holds the key. */
export function writeAccess({ url, apiKey }: Access): string {
  const file = configFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify({ url, api_key: apiKey }, null, 2)}\n`, { mode: 0o600 });
  // The mode above counts for new files only.
  chmodSync(file, 0o600);
  return file;
}

/** The service, and how long it is waited for. */
export interface Connection {
  readonly client: DataImportClient;
  readonly address: string;
  readonly outage: Outage;
  /** Aborted by Ctrl-C, and once an outage has outlasted the patience. */
  readonly signal: AbortSignal;
}

/** `patience` in milliseconds, as asked for; 0 gives up as soon as a few tries have failed. */
export function connect(patience?: number): Connection {
  const { url, apiKey } = readAccess();
  const outage = new Outage(checkedUrl(url), patience);
  const client = new DataImportClient({ baseUrl: url, apiKey, fetch: outage.fetch, retries: outage.retries });
  return { client, address: url, outage, signal: AbortSignal.any([stoppable(), outage.signal]) };
}

export function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new UsageError(`"${text}" is no http address.`);
  return text;
}

function readAccess(): Access {
  const stored = readStored();
  const [url, apiKey] = [process.env['DATA_IMPORT_URL'] || stored.url, process.env['DATA_IMPORT_API_KEY'] || stored.apiKey];
  if (url && apiKey) return { url, apiKey };
  const missing = url ? 'API key' : apiKey ? 'address of the service' : 'address and API key';
  throw new UsageError(`No ${missing}: run "data-import login", or set DATA_IMPORT_URL and DATA_IMPORT_API_KEY.`);
}

function readStored(): Partial<Access> {
  let text: string;
  try {
    text = readFileSync(configFile(), 'utf8');
  } catch {
    return {};
  }
  try {
    const { url, api_key } = JSON.parse(text);
    return { ...(typeof url === 'string' ? { url } : {}), ...(typeof api_key === 'string' ? { apiKey: api_key } : {}) };
  } catch {
    throw new UsageError(`${configFile()} cannot be read: run "data-import login" again.`);
  }
}
