/**
 * A deploy, whole: makes what is missing, applies migrations, deploys, asks whether the service is ready. Every step first asks whether it is
 * done, so a deploy that was stopped anywhere goes on when it is run again.
 */
import { ask, type Fetch, type Wrangler } from './ask.ts';
import { type Config, check, checkFile, missingSecrets, patternsOf } from './check.ts';
import * as cloudflare from './cloudflare.ts';
import { untilReady } from './ready.ts';

export interface Wanted {
  readonly environment: string;
  /** Says what would be done, and only asks. */
  readonly isDryRun: boolean;
  /** Where a database and a bucket are made, as D1 and R2 name it; near whoever deploys unless given. */
  readonly location?: string | undefined;
  /** Where the Worker answers, if neither wrangler.toml nor wrangler says it. */
  readonly url?: string | undefined;
  /** False where what is printed stays in a log. */
  readonly mayShowSecrets: boolean;
}

/** What a deploy works with. */
export interface Tools {
  readonly wrangler: Wrangler;
  readonly get: Fetch;
  say(line: string): void;
  config(): Config;
  /** Writes the id of the database with this name into wrangler.toml. */
  writeDatabaseId(name: string, id: string): void;
  /** A new random secret. */
  secret(): string;
  pause(milliseconds: number): Promise<void>;
  /** Unix milliseconds. */
  now(): number;
  /** Where wrangler says that it has deployed to. */
  targets(): readonly string[];
}

export type Outcome =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'planned' }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'not_ready'; readonly url: string | undefined; readonly reasons: readonly string[] };

/** Rejects where wrangler fails: run again, it goes on from there. */
export async function deployTo(wanted: Wanted, given: Tools): Promise<Outcome> {
  const tools = { ...given, wrangler: printing(given) };
  const { environment } = wanted;
  const config = tools.config();
  const url = wanted.url ?? addressOf(config);
  const wrong = checkFile(config, environment);
  if (wrong.length > 0) return { kind: 'refused', reasons: wrong };
  const isThere = await cloudflare.hasWorker(tools.wrangler, environment);
  const asked = isThere ? await ask(environment, url, tools.wrangler, tools.get) : { secrets: [], deployed: [], tooShort: [] };
  const { refused, notAsked } = check(config, environment, asked);
  for (const gap of notAsked) tools.say(`not asked  ${gap}`);
  const missing = missingSecrets(config, asked.secrets ?? []);
  const reasons = [...refused, ...(isThere && !asked.secrets ? ['wrangler secret list did not answer as expected.'] : [])];
  if (missing.includes('OPERATOR_TOKEN') && !wanted.mayShowSecrets && !wanted.isDryRun)
    reasons.push(
      `OPERATOR_TOKEN is missing. It would be made and shown, and what is shown here stays in a log: deploy from a terminal once, or set it: npx wrangler secret put OPERATOR_TOKEN --env ${environment}`,
    );
  const wrongDatabase = reasons.length === 0 ? await ensureDatabases(wanted, tools, config) : [];
  if (reasons.length + wrongDatabase.length > 0) return { kind: 'refused', reasons: [...reasons, ...wrongDatabase] };
  await ensureBuckets(wanted, tools, config);
  await ensureQueues(wanted, tools, config);
  await ensureSecrets(wanted, tools, missing);
  await migrate(wanted, tools);
  await change(wanted, tools, cloudflare.deploy(environment));
  if (wanted.isDryRun) {
    tools.say(`would ask  ${url ?? 'https://(the address that wrangler prints)'}/readyz`);
    return { kind: 'planned' };
  }
  return untilReady(url ?? tools.targets().find((target) => /^https:\/\/\S+$/.test(target)), tools);
}

/** Where wrangler.toml says that the Worker answers. */
function addressOf(config: Config): string | undefined {
  const [address] = patternsOf(config);
  return address === undefined ? undefined : `https://${address.replace(/\/\*?$/, '')}`;
}

/** Prints every command before it is run. */
const printing =
  ({ wrangler, say }: Tools): Wrangler =>
  (args, input) => {
    say(`$ npx wrangler ${args.join(' ')}${input === undefined ? '' : '   (values on standard input)'}`);
    return wrangler(args, input);
  };

/** Runs a command that changes something; a dry run only says so. */
async function change({ isDryRun }: Wanted, { wrangler, say }: Tools, args: readonly string[], input?: string): Promise<void> {
  if (isDryRun) say(`would run  npx wrangler ${args.join(' ')}`);
  else await wrangler(args, input);
}

const isId = (id: string | undefined): id is string =>
  id !== undefined && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id) && !/^[0-]+$/.test(id);

/** Databases by their names, with their ids in wrangler.toml. Answers what speaks against it. */
async function ensureDatabases(wanted: Wanted, tools: Tools, config: Config): Promise<string[]> {
  const wrong: string[] = [];
  for (const { database_name: name, database_id: written } of config.d1_databases) {
    if (name === undefined) continue;
    const id = await cloudflare.databaseId(tools.wrangler, name);
    if (isId(written)) {
      if (id === undefined)
        wrong.push(`wrangler.toml has an id for the database ${name}, and this account has no such database. Is it the right account?`);
      else if (id !== written)
        wrong.push(`The database ${name} of this account has the id ${id}, wrangler.toml has ${written}. Which is right?`);
      continue;
    }
    if (id === undefined) await change(wanted, tools, cloudflare.makeDatabase(name, wanted.location));
    if (wanted.isDryRun) tools.say(`would put the id of ${name} into wrangler.toml`);
    else await writeId(tools, name, id);
  }
  return wrong;
}

async function writeId(tools: Tools, name: string, known: string | undefined): Promise<void> {
  const id = known ?? (await cloudflare.databaseId(tools.wrangler, name));
  if (id === undefined) throw new Error(`the database ${name} was made, and wrangler does not list it`);
  tools.writeDatabaseId(name, id);
  tools.say(`The id of ${name} is in wrangler.toml now: commit it.`);
}

async function ensureBuckets(wanted: Wanted, tools: Tools, config: Config): Promise<void> {
  for (const { bucket_name: name, jurisdiction } of config.r2_buckets)
    if (name !== undefined && !(await cloudflare.hasBucket(tools.wrangler, name, jurisdiction)))
      await change(wanted, tools, cloudflare.makeBucket(name, jurisdiction, wanted.location));
}

async function ensureQueues(wanted: Wanted, tools: Tools, { queues }: Config): Promise<void> {
  const named = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead === undefined ? [] : [dead])]),
  ];
  for (const name of new Set(named))
    if (!(await cloudflare.hasQueue(tools.wrangler, name))) await change(wanted, tools, cloudflare.makeQueue(name));
}

/** Makes secrets and sets them. The operator token is shown, once it is set; the signing key never is. */
async function ensureSecrets(wanted: Wanted, tools: Tools, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  const made = new Map(missing.map((name) => [name, tools.secret()]));
  tools.say(`${wanted.isDryRun ? 'would make' : 'Making'} ${missing.join(' and ')}`);
  try {
    await change(wanted, tools, cloudflare.setSecrets(wanted.environment), JSON.stringify(Object.fromEntries(made)));
  } catch (error) {
    if (made.has('OPERATOR_TOKEN'))
      tools.say(
        `If OPERATOR_TOKEN was set all the same, nobody knows it: npx wrangler secret put OPERATOR_TOKEN --env ${wanted.environment} sets another.`,
      );
    throw error;
  }
  const token = made.get('OPERATOR_TOKEN');
  if (token !== undefined && !wanted.isDryRun)
    tools.say(`The operator token, shown this once: put it away, it opens the console and /operator/v1/.\n  ${token}`);
}

/** Migrations only ever add; the bookmark is the way back where data was harmed. */
async function migrate(wanted: Wanted, tools: Tools): Promise<void> {
  const { environment } = wanted;
  if (wanted.isDryRun) tools.say(`would run  npx wrangler ${cloudflare.askBookmark(environment).join(' ')}`);
  else
    tools.say(
      `The database before the migrations, ${new Date(tools.now()).toISOString()}: bookmark ${await cloudflare.currentBookmark(tools.wrangler, environment)}`,
    );
  await change(wanted, tools, cloudflare.applyMigrations(environment));
}
