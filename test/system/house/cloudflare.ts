/** A Cloudflare account behind a double of wrangler: it has what was made in it, and answers as wrangler 4.135 does. */
import type { Fetch, Wrangler } from '../../../scripts/deploy/ask';

export interface Cloudflare {
  readonly wrangler: Wrangler;
  readonly get: Fetch;
  /** Every command, in its order. */
  readonly calls: string[];
  /** What was asked over HTTP. */
  readonly asked: string[];
  readonly databases: Map<string, string>;
  readonly secrets: Map<string, string>;
  /** What was made, each once for each time. */
  readonly made: string[];
  /** The command that failed because of `Faults.call`. */
  readonly failed: string | undefined;
}

interface Faults {
  /** This call fails, counted from 1, before or after its effect; a deploy ends there. */
  readonly call?: number;
  readonly moment?: 'before' | 'after';
  readonly isLoggedOut?: boolean;
  /** How often `/readyz` is 503, and why. */
  readonly notReady?: { readonly times: number; readonly name: string };
}

/** A fault happens once: who runs the deploy again meets none. */
export function aCloudflare({ call, moment, isLoggedOut, notReady }: Faults = {}): Cloudflare {
  const [databases, secrets] = [new Map<string, string>(), new Map<string, string>()];
  const [buckets, queues] = [new Set<string>(), new Set<string>()];
  const [calls, asked, made]: string[][] = [[], [], []];
  let hasWorker = false;
  let failed: string | undefined;

  function make(kind: string, name: string): void {
    made?.push(`${kind} ${name}`);
  }

  function answer(args: readonly string[], input: string | undefined): string {
    const [words, name = ''] = [args.slice(0, 2).join(' '), args[2] ?? ''];
    switch (words) {
      case 'd1 list':
        return JSON.stringify([...databases].map(([one, uuid]) => ({ uuid, name: one, version: 'production' })));
      case 'd1 create':
        if (databases.has(name)) throw new Error(`A database with that name already exists [code: 7502]`);
        databases.set(name, `b5f2c1de-4a43-4b8f-9b1e-${String(databases.size + 1).padStart(12, '0')}`);
        make('database', name);
        return '✅ Successfully created DB';
      case 'd1 time-travel':
        return JSON.stringify({ bookmark: '00000001-00000002-00000003-0123456789abcdef0123456789abcdef' });
      case 'd1 migrations':
        return '✅ No migrations to apply!';
      case 'r2 bucket':
        return bucket(name, args[3] ?? '');
      case 'queues info':
        if (!queues.has(name))
          throw new Error(`✘ [ERROR] Queue "${name}" does not exist. To create it, run: wrangler queues create ${name}`);
        return `Queue Name: ${name}`;
      case 'queues create':
        if (queues.has(name)) throw new Error('Queue name is already taken [code: 11009]');
        queues.add(name);
        make('queue', name);
        return `Created queue '${name}'`;
      case 'secret list':
        if (!hasWorker) throw new Error('✘ [ERROR] Worker "account-data-import-staging" (env: staging) not found.');
        return JSON.stringify([...secrets.keys()].map((one) => ({ name: one, type: 'secret_text' })));
      case 'secret bulk':
        for (const [one, value] of Object.entries(JSON.parse(input ?? ''))) {
          secrets.set(one, String(value));
          make('secret', one);
        }
        hasWorker = true;
        return 'Finished processing secrets';
      case 'deployments status':
        return JSON.stringify({ versions: [{ version_id: 'v1', percentage: 100 }] });
      case 'versions view':
        return JSON.stringify({ resources: { bindings: [] } });
      case 'deploy --env':
        if (!hasWorker || buckets.size === 0 || queues.size < 2 || databases.size === 0) throw new Error('something is missing');
        return 'Deployed';
      default:
        throw new Error(`Unknown command: ${args.join(' ')}`);
    }
  }

  function answerOrFail(args: readonly string[], input: string | undefined): void {
    try {
      answer(args, input);
    } catch {
      // A refusal is an answer, too.
    }
  }

  function bucket(verb: string, name: string): string {
    if (verb === 'create') {
      buckets.add(name);
      make('bucket', name);
    } else if (!buckets.has(name)) throw new Error('The specified bucket does not exist. [code: 10006]');
    return '{}';
  }

  return {
    calls: calls ?? [],
    asked: asked ?? [],
    made: made ?? [],
    databases,
    secrets,
    get failed() {
      return failed;
    },
    async wrangler(args, input) {
      const isFaulty = calls?.push(args.join(' ')) === call;
      if (isLoggedOut)
        throw new Error("In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable");
      if (isFaulty) failed = args.join(' ');
      if (!isFaulty) return answer(args, input);
      // What it answered is lost on the way, be it good or bad.
      if (moment === 'after') answerOrFail(args, input);
      throw new Error('the network');
    },
    async get(url) {
      asked?.push(url);
      const isReady = (asked?.length ?? 0) > (notReady?.times ?? 0);
      return isReady
        ? Response.json({ status: 'ready' })
        : Response.json({ reasons: [{ name: notReady?.name, detail: 'for the test' }] }, { status: 503 });
    },
  };
}
