/**
 * The service in the simulated world: the real code on the real database, every call of a binding parked until the world lets it go.
 */
import { env } from 'cloudflare:workers';
import { recallSupplier, rememberSupplier } from '../../src/account-facts';
import { consume } from '../../src/consumers';
import { CALLS_OF_AN_INVOCATION, type Deps } from '../../src/deps';
import { appOf } from '../../src/routes';
import { everyMinute } from '../../src/scheduled';
import { issueToken } from '../../src/tokens/token';
import { bucketAround, databaseAround, queueAround } from '../support/around';
import { actingAs, type GivenSupplier, SUPPLIERS } from './audit';
import type { Broker } from './broker';
import type { Random } from './random';
import { Task, type World } from './world';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const tasks = new WeakMap<object, Deps>();
const app = appOf((_bindings, context) => {
  const deps = tasks.get(context);
  if (!deps) throw new Error('the request belongs to no task');
  return deps;
});

/** Faults the simulation makes itself, and what may be told about them. */
const EXPECTED = /Network connection lost|did not answer in time|retries exhausted|kept changing|windows closed before/;

/** A run of the sweep that nothing disturbed, in Unix milliseconds. */
export interface CleanSweep {
  readonly from: number;
  readonly to: number;
}

/** What isolates are like; chance of their own, so that it changes nothing else in a history. */
export interface Isolates {
  readonly random: Random;
  /** By how many milliseconds the clocks of those that serve requests may be wrong, either way. */
  readonly skew: number;
}

export class Service {
  /** What the log told that no fault explains. */
  readonly surprises: string[] = [];
  /** The moment of the last delivery that came to its end. */
  deliveredAt = 0;
  /** When the deliveries that nothing disturbed came to their end, in Unix milliseconds, by the number of their task. */
  readonly delivered = new Map<number, number>();
  readonly cleanSweeps: CleanSweep[] = [];
  private readonly tokens = new Map<string, { readonly token: string; readonly until: number }>();
  private count = 0;
  /** The database of the task before, by which an isolate remembers what it has read. */
  private before: D1Database | undefined;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    readonly broker: Broker,
    private readonly isolates: Isolates,
  ) {}

  /** A request; `whenAnswered` is told the answer, unless the isolate is gone before it is sent. */
  async request(
    name: string,
    request: {
      readonly method: string;
      readonly path: string;
      /** A value to be sent as JSON, or lines of JSON. */
      readonly body?: unknown;
      readonly lines?: readonly unknown[];
      readonly authorization: string;
    },
    whenAnswered: (task: Task, answer: Answer | undefined) => void,
  ): Promise<void> {
    const task = this.taskOf(name);
    task.whenKilled = () => whenAnswered(task, undefined);
    await this.world.start(task, async () => {
      const context: ExecutionContext = {
        waitUntil: () => {},
        passThroughOnException: () => {},
        props: {},
        // The types of the platform ask for more than a request of this service uses.
      } as unknown as ExecutionContext;
      const { random, skew } = this.isolates;
      tasks.set(context, this.depsOf(task, random.below(2 * skew + 1) - skew));
      const body = request.lines ? request.lines.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(request.body);
      const response = await app.fetch(
        new Request(`https://import.test${request.path}`, {
          method: request.method,
          headers: { 'Content-Type': request.lines ? 'application/x-ndjson' : 'application/json', Authorization: request.authorization },
          ...(body === undefined ? {} : { body }),
        }),
        env,
        context,
      );
      const text = new TextDecoder().decode(await response.arrayBuffer());
      if (task.isDead) return;
      const isLines = response.headers.get('Content-Type')?.startsWith('application/x-ndjson') === true;
      const answered: unknown = isLines ? linesOf(text) : text === '' ? undefined : JSON.parse(text);
      whenAnswered(task, { status: response.status, body: answered });
    });
  }

  /** A token of the supplier's organisation, good for a while. */
  async tokenOf(supplier: GivenSupplier): Promise<string> {
    const known = this.tokens.get(supplier.organisationId);
    if (known && known.until > this.world.now) return `Token ${known.token}`;
    const { token } = await issueToken(supplier, { current: env.TOKEN_SIGNING_KEY }, this.world.now);
    // A request may be served long after it was sent: half of the 60 minutes is left to it.
    this.tokens.set(supplier.organisationId, { token, until: this.world.now + 30 * 60_000 });
    return `Token ${token}`;
  }

  /** Delivers some messages that are due. */
  async deliver(): Promise<void> {
    const taken = this.broker.take();
    if (!taken) return;
    const task = this.taskOf(
      `deliver ${taken.batch.messages.map(({ id, attempts }) => `${id}#${attempts}`).join()} of ${taken.batch.queue}`,
    );
    task.whenKilled = () => taken.settle(true);
    await this.world.start(task, async () => {
      try {
        await consume(taken.batch, this.depsOf(task));
        this.deliveredAt = this.world.moment;
        if (task.faults === 0 && !task.isDead) this.delivered.set(numberOf(task), this.world.now);
      } finally {
        taken.settle(false);
      }
    });
  }

  async everyMinute(): Promise<void> {
    const task = this.taskOf('cron');
    const from = this.world.now;
    await this.world.start(task, async () => {
      await everyMinute(this.depsOf(task));
      if (task.faults === 0 && !task.isDead) this.cleanSweeps.push({ from, to: this.world.now });
    });
  }

  private taskOf(name: string): Task {
    return new Task(`${++this.count} ${name}`, this.world.moment);
  }

  /** What the isolate of an earlier task remembers of suppliers, the next one may remember, too. */
  private remembering(db: D1Database): void {
    if (this.before && this.isolates.random.chance(0.7)) {
      for (const { organisationId, apiKeyId, code } of SUPPLIERS) {
        const caller = { organisationId, apiKeyId };
        const supplier = recallSupplier(this.before, caller, code);
        if (supplier) rememberSupplier(db, caller, supplier);
      }
    }
    this.before = db;
  }

  private depsOf(task: Task, skew = 0): Deps {
    const around = this.world.around(task);
    const db = databaseAround(actingAs(env.DB, numberOf(task)), around);
    this.remembering(db);
    const always = { limit: async () => ({ success: true }) };
    return {
      env: { ...env, ORGANISATION_RATE: always, TOKEN_RATE: always, TOKEN_FAILURE_RATE: always },
      db,
      databaseOf: () => db,
      documents: bucketAround(env.DOCUMENTS, around),
      accountImports: queueAround(this.broker.queue, around),
      calls: { left: CALLS_OF_AN_INVOCATION },
      now: () => this.world.now + skew,
      mint: () => 1 + this.random.below(2 ** 40),
      log: { info: () => {}, error: (event, cause) => this.hear(event, cause) },
      afterReply: (_name, work) => {
        this.world.sendToBackground(task);
        void work.catch((error) => this.hear('after_reply_failed', error));
      },
    };
  }

  private hear(event: string, cause: unknown): void {
    const told = `${event}: ${String(cause)}`;
    if (!EXPECTED.test(told)) this.surprises.push(told);
  }
}

const numberOf = (task: Task): number => Number.parseInt(task.name, 10);

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
