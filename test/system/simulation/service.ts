/**
 * The service in the simulated world: the real code on the real database, every call of a binding parked until the world lets it go.
 */
import { env } from 'cloudflare:workers';
import { recallSupplier, rememberSupplier } from '../../../src/account-state';
import { consume } from '../../../src/consumers';
import { CALLS_OF_AN_INVOCATION, type Deps } from '../../../src/deps';
import { appOf } from '../../../src/routes';
import { EVERY_MINUTE, everyMinute } from '../../../src/scheduled';
import { issueToken } from '../../../src/tokens/token';
import { bucketAround, databaseAround, queueAround } from '../../support/around';
import { SUPPLIERS } from './audit';
import type { Broker } from './broker';
import { type Actor, actingAs } from './observer';
import { Progress } from './progress';
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

/** Alerts are about all that the database holds, other histories included: a history could not be repeated alone. */
const { alerts: _, ...PARTS } = EVERY_MINUTE;

/** Faults the simulation makes itself, and what may be reported about them. */
const EXPECTED =
  /Network connection lost|did not answer in time|retries exhausted|kept changing|windows closed before|SQLITE_(?:FULL|READONLY)/;

/** A run of the sweep that nothing disturbed, in Unix milliseconds. */
export interface CleanSweep {
  readonly from: number;
  readonly to: number;
}

export interface AttemptedDelivery {
  readonly task: Task;
  /** The ids it named. */
  readonly processes: ReadonlySet<number>;
}

/** What isolates are like; chance of their own, so that it changes nothing else in a history. */
export interface Isolates {
  readonly random: Random;
  /** By how many milliseconds the clocks of each may be wrong, either way: of those that serve requests, consume and sweep. */
  readonly skew: number;
}

/** Who sends a request: an importer with the token of a key, or the operator. */
export type Sender =
  | { readonly role: 'importer'; readonly organisationId: string; readonly apiKeyId: string }
  | { readonly role: 'operator'; readonly apiKeyId?: undefined };

export class Service {
  /** What the log reported that no fault explains. */
  readonly surprises: string[] = [];
  /** The moment of the last delivery that came to its end. */
  deliveredAt = 0;
  /** All there ever were, by their number. */
  readonly tasks = new Map<number, Task>();
  readonly deliveries: AttemptedDelivery[] = [];
  cleanSweeps: CleanSweep[] = [];
  readonly progress: Progress;
  /** The restore that is asked for by what is deployed now; 0 before the first. */
  epoch = 0;
  /** Something of a supplier cannot be read right now, which the log may say. */
  mayBeUnreadable = false;
  private readonly tokens = new Map<string, { readonly token: string; readonly until: number }>();
  private count = 0;
  /** The database of the task before, by which an isolate remembers what it has read. */
  private before: D1Database | undefined;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    readonly broker: Broker,
    readonly isolates: Isolates,
  ) {
    this.progress = new Progress(world, isolates.skew);
  }

  /** A request; `whenAnswered` gets the answer, unless the isolate is gone before it is sent. */
  async request(
    name: string,
    request: {
      readonly method: string;
      readonly path: string;
      /** A value to be sent as JSON, or lines of JSON. */
      readonly body?: unknown;
      readonly lines?: readonly unknown[];
    },
    sender: Sender,
    whenAnswered: (task: Task, answer: Answer | undefined) => void,
  ): Promise<void> {
    const authorization = sender.role === 'operator' ? `Bearer ${env.OPERATOR_TOKEN}` : await this.tokenOf(sender);
    const task = this.taskOf(name);
    task.whenKilled = () => whenAnswered(task, undefined);
    await this.world.start(task, async () => {
      const context: ExecutionContext = {
        waitUntil: () => {},
        passThroughOnException: () => {},
        props: {},
        // The types of the platform ask for more than a request of this service uses.
      } as unknown as ExecutionContext;
      tasks.set(context, this.depsOf(task, sender));
      const body = request.lines ? request.lines.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(request.body);
      const response = await app.fetch(
        new Request(`https://import.test${request.path}`, {
          method: request.method,
          headers: { 'Content-Type': request.lines ? 'application/x-ndjson' : 'application/json', Authorization: authorization },
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

  /** A token of the key, good for a while. */
  private async tokenOf(caller: { readonly organisationId: string; readonly apiKeyId: string }): Promise<string> {
    const known = this.tokens.get(caller.apiKeyId);
    if (known && known.until > this.world.now) return `Token ${known.token}`;
    const { token } = await issueToken(caller, { current: env.TOKEN_SIGNING_KEY }, this.world.now);
    // A request may be served long after it was sent: half of the 60 minutes is left to it.
    this.tokens.set(caller.apiKeyId, { token, until: this.world.now + 30 * 60_000 });
    return `Token ${token}`;
  }

  /** Delivers some messages that are due. */
  async deliver(): Promise<void> {
    const taken = this.broker.take();
    if (!taken) return;
    const task = this.taskOf(
      `deliver ${taken.batch.messages.map(({ id, attempts }) => `${id}#${attempts}`).join()} of ${taken.batch.queue}`,
    );
    task.whenKilled = () => taken.finish(true);
    this.deliveries.push({ task, processes: new Set(taken.batch.messages.flatMap(({ body }) => body.process_ids)) });
    await this.world.start(task, async () => {
      try {
        await consume(taken.batch, this.depsOf(task));
        this.deliveredAt = this.world.moment;
      } finally {
        taken.finish(false);
      }
    });
  }

  async everyMinute(): Promise<void> {
    const task = this.taskOf('cron');
    const begun = this.progress.begin();
    await this.world.start(task, async () => {
      await everyMinute(this.depsOf(task), PARTS);
      if (task.isDead || task.faults > 0) return;
      const { skew } = this.isolates;
      this.cleanSweeps.push({ from: begun.from - skew, to: this.world.now + skew });
      await this.progress.end(begun, task);
    });
  }

  /** What was known of the time that a restore took back counts no more. */
  forget(): void {
    this.cleanSweeps = [];
    for (const task of this.tasks.values()) task.faults++;
  }

  private taskOf(name: string): Task {
    const task = new Task(`${++this.count} ${name}`, this.world.moment);
    this.tasks.set(this.count, task);
    return task;
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

  private depsOf(task: Task, { role, apiKeyId }: Pick<Actor, 'role' | 'apiKeyId'> = { role: 'service' }): Deps {
    const { random, skew } = this.isolates;
    const isWrongBy = random.below(2 * skew + 1) - skew;
    const around = this.world.around(task);
    const actor = { task: numberOf(task), role, apiKeyId, epoch: this.epoch };
    const db = databaseAround(actingAs(env.DB, actor, this.world), around);
    this.remembering(db);
    const always = { limit: async () => ({ success: true }) };
    return {
      env: { ...env, ORGANISATION_RATE: always, TOKEN_RATE: always, TOKEN_FAILURE_RATE: always, DATABASE_EPOCH: `${this.epoch}` },
      db,
      databaseOf: () => db,
      documents: bucketAround(env.DOCUMENTS, around),
      accountImports: queueAround(this.broker.queue, around),
      webhookDeliveries: env.WEBHOOK_DELIVERIES,
      calls: { left: CALLS_OF_AN_INVOCATION },
      now: () => this.world.now + isWrongBy,
      mint: () => 1 + this.random.below(2 ** 40),
      log: { info: () => {}, error: (event, cause) => this.hear(event, cause) },
      afterReply: (_name, work) => {
        this.world.sendToBackground(task);
        void work.catch((error) => this.hear('after_reply_failed', error));
      },
    };
  }

  private hear(event: string, cause: unknown): void {
    const logged = `${event}: ${String(cause)}`;
    const isExpected = EXPECTED.test(logged) || (this.mayBeUnreadable && /cannot be read|unreadable/.test(logged));
    if (!isExpected) this.surprises.push(logged);
  }
}

export const numberOf = (task: Task): number => Number.parseInt(task.name, 10);

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
