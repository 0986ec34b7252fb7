/**
 * What a deploy asks of Cloudflare and makes there, by wrangler. Nothing is made that is there.
 */
import * as z from 'zod';
import type { Wrangler } from './ask.ts';

const databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const bookmark = z.object({ bookmark: z.string() });

/** The id of the database with this name in the account, or undefined. */
export async function databaseId(wrangler: Wrangler, name: string): Promise<string | undefined> {
  return databases.parse(JSON.parse(await wrangler(['d1', 'list', '--json']))).find((one) => one.name === name)?.uuid;
}

export const hasBucket = (wrangler: Wrangler, name: string, jurisdiction: string | undefined): Promise<boolean> =>
  exists(wrangler(['r2', 'bucket', 'info', name, '--json', ...within(jurisdiction)]), /\[code: 10006\]|bucket does not exist/);

export const hasQueue = (wrangler: Wrangler, name: string): Promise<boolean> =>
  exists(wrangler(['queues', 'info', name]), /Queue "[^"]*" does not exist/);

/** True if the Worker was deployed, or made for its secrets. */
export const hasWorker = (wrangler: Wrangler, environment: string): Promise<boolean> =>
  exists(wrangler(['secret', 'list', '--env', environment, '--format', 'json']), /\[code: 100(?:07|90)\]|Worker "[^"]*".* not found/);

export const makeDatabase = (name: string, location: string | undefined): string[] => [
  ...['d1', 'create', name, '--update-config=false'],
  ...near(location),
];

export const makeBucket = (name: string, jurisdiction: string | undefined, location: string | undefined): string[] => [
  ...['r2', 'bucket', 'create', name, '--update-config=false'],
  ...(jurisdiction === undefined ? near(location) : within(jurisdiction)),
];

export const makeQueue = (name: string): string[] => ['queues', 'create', name];

/** The secrets come as JSON on its standard input: arguments can be read by others on the machine. */
export const setSecrets = (environment: string): string[] => ['secret', 'bulk', '--env', environment];

/** The state of the database now, for a way back to it. */
export const currentBookmark = async (wrangler: Wrangler, environment: string): Promise<string> =>
  bookmark.parse(JSON.parse(await wrangler(askBookmark(environment)))).bookmark;

export const askBookmark = (environment: string): string[] => ['d1', 'time-travel', 'info', 'DB', '--env', environment, '--json'];

export const applyMigrations = (environment: string): string[] => ['d1', 'migrations', 'apply', 'DB', '--remote', '--env', environment];

export const deploy = (environment: string): string[] => ['deploy', '--env', environment];

const near = (location: string | undefined): string[] => (location === undefined ? [] : ['--location', location]);
const within = (jurisdiction: string | undefined): string[] => (jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction]);

/** False where wrangler says that it is not there; any other failure is one. */
async function exists(asked: Promise<string>, isMissing: RegExp): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Error && isMissing.test(error.message)) return false;
    throw error;
  }
}
