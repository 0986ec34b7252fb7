/**
 * A world in which only one thing happens at a time. Tasks (a request, a delivery, a run of the cron) go on until they call a
 * binding; there they are parked, and the simulation chooses who goes on, and whether the call succeeds, fails, fails after its
 * effect, takes effect too late, or never comes back. Time is a number that the simulation moves.
 */
import type { Around, BindingCall } from '../../support/around';
import { lostConnection, never } from '../../support/around';

export type Fate = 'ok' | 'fail_before' | 'fail_after' | 'crash_before' | 'crash_after' | 'crash_late' | 'time_out' | 'time_out_late';

/** Timers from this long on are time-outs: they fire only if the simulation lets a call hang. Shorter ones are pauses and cost nothing. */
const TIME_OUT_MILLISECONDS = 1_000;
const HANG_MILLISECONDS = 8_000;

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };
const turn = (): Promise<void> => new Promise((resume) => void real.setTimeout(resume, 0));

/** The time that really passes, in milliseconds. */
export const realNow = (): number => real.now.call(Date);

export class Task {
  isDone = false;
  isDead = false;
  /** Calls of this task that did not simply succeed. */
  faults = 0;
  /** Calls of the document store that failed. */
  documentFaults = 0;
  /** Longest time one call of it took, in milliseconds. */
  longestCall = 0;
  /** When it came to its end, in Unix milliseconds. */
  endedAt = Number.POSITIVE_INFINITY;
  /** A call of this task may take effect after it. */
  isUnderWay = false;
  /** Time-outs that are running, each with what it was set for: the call that was asked for last. */
  readonly timers = new Map<number, { readonly fire: () => void; readonly of: ParkedCall | undefined }>();
  /** Runs when the task is abandoned. */
  whenKilled: () => void = () => {};
  private wake: () => void = () => {};
  private event: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    readonly startedAt: number,
  ) {
    this.renew();
  }

  signal(): void {
    this.wake();
    this.renew();
  }

  /** The next time the task is parked or done. */
  next(): Promise<void> {
    return this.event;
  }

  private renew(): void {
    this.event = new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

export interface ParkedCall {
  readonly task: Task;
  readonly call: BindingCall;
  readonly run: () => Promise<unknown>;
  readonly answer: (value: unknown) => void;
  readonly refuse: (error: unknown) => void;
  /** When it was asked for, in Unix milliseconds. */
  readonly at: number;
  isBackground: boolean;
}

/** What D1 says of a write while it takes none. */
const REFUSALS = {
  full: 'D1_ERROR: Exceeded maximum DB size: SQLITE_FULL',
  read_only: 'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
} as const;
export type Refusal = keyof typeof REFUSALS;

const isWrite = ({ binding, what }: BindingCall): boolean => binding === 'db' && /(?:^|\+ )(?:insert|update|delete) /.test(what);

export class World {
  /** Unix milliseconds. */
  now = Date.UTC(2026, 10, 20, 10);
  /** Counts everything that happens: orders what began and ended when. */
  moment = 0;
  faults = 0;
  /** Calls that failed, or took effect after their time. */
  disturbances = 0;
  readonly parked: ParkedCall[] = [];
  /** Calls whose caller is gone but whose effect is still on its way. */
  readonly late: ParkedCall[] = [];
  readonly trace: string[] = [];
  /** Set while the database answers reads and takes no writes. */
  refusal: Refusal | undefined;
  /** How long a call takes, in milliseconds. Calls that wait at once take their time at once. */
  latencyOf: (call: BindingCall) => number = () => 0;
  private current: Task | undefined;
  private timer = 0;

  log(line: string): void {
    this.trace.push(`${String(++this.moment).padStart(4)} ${new Date(this.now).toISOString().slice(5, 23)}  ${line}`);
  }

  /** Puts the world's clock and timers in the place of the real ones; returns what takes them away again. */
  enter(): () => void {
    const setTimer = (callback: () => void, milliseconds = 0): number => {
      const handle = ++this.timer;
      // A call is made, and then waited for with a time-out of its own.
      const of = this.parked.findLast(({ task }) => task === this.current);
      if (milliseconds >= TIME_OUT_MILLISECONDS) this.current?.timers.set(handle, { fire: callback, of });
      else queueMicrotask(callback);
      return handle;
    };
    const clearTimer = (handle: number): void => void this.current?.timers.delete(handle);
    Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer });
    Date.now = () => this.now;
    return () => {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Date.now = real.now;
    };
  }

  /** Parks every call of the task. */
  around(task: Task): Around {
    return <T>(call: BindingCall, run: () => Promise<T>): Promise<T> => {
      if (task.isDead) return never();
      return new Promise<T>((resolve, reject) => {
        const answer = (value: unknown): void => resolve(value as T);
        this.parked.push({ task, call, run, answer, refuse: reject, at: this.now, isBackground: false });
        task.signal();
      });
    };
  }

  /** What the task has asked for last goes on without it: its answer does not wait for it. */
  sendToBackground(task: Task): void {
    for (const parked of this.parked) if (parked.task === task) parked.isBackground = true;
  }

  async start(task: Task, work: () => Promise<void>): Promise<Task> {
    this.log(`${task.name} begins`);
    this.current = task;
    const end = (outcome: string): void => {
      if (task.isDead) return;
      task.isDone = true;
      task.endedAt = this.now;
      this.log(`${task.name} ends${outcome}`);
      task.signal();
    };
    void work().then(
      () => end(''),
      (error) => end(`: ${String(error)}`),
    );
    await this.untilItWaits(task, false);
    return task;
  }

  /** Lets a parked call meet its fate, and its task go on until it is parked again. */
  async meet(parked: ParkedCall, given: Fate): Promise<void> {
    this.parked.splice(this.parked.indexOf(parked), 1);
    const { task, call, run, answer, refuse, at } = parked;
    const fate = this.refusal && isWrite(call) ? 'refused' : given;
    this.now = Math.max(this.now, at + this.latencyOf(call));
    this.log(`${task.name}: ${call.binding} ${call.what}${fate === 'ok' ? '' : ` -> ${fate}`}`);
    task.longestCall = Math.max(task.longestCall, this.now - at);
    if (fate !== 'ok') {
      this.faults++;
      this.disturbances++;
      task.faults++;
      if (call.binding === 'documents') task.documentFaults++;
    }
    this.current = task;
    if (fate === 'crash_late' || fate === 'time_out_late') task.isUnderWay = true;
    const hasOthers = this.parked.some((other) => other.task === task);
    switch (fate) {
      case 'ok':
        await run().then(answer, refuse);
        break;
      case 'refused':
        refuse(new Error(REFUSALS[this.refusal ?? 'full']));
        break;
      case 'fail_before':
        refuse(lostConnection());
        break;
      case 'fail_after':
        await run().catch(() => {});
        refuse(lostConnection());
        break;
      case 'crash_after':
        await run().catch(() => {});
        this.kill(task);
        break;
      case 'crash_before':
      case 'crash_late':
        if (fate === 'crash_late') this.late.push(parked);
        this.kill(task);
        break;
      case 'time_out':
      case 'time_out_late':
        if (fate === 'time_out_late') this.late.push(parked);
        this.now += HANG_MILLISECONDS;
        for (const timer of [...task.timers.values()]) if (timer.of === parked) timer.fire();
        break;
    }
    await this.untilItWaits(task, hasOthers || parked.isBackground);
  }

  /** The effect of a call that nobody waits for any more. */
  async arriveLate(parked: ParkedCall): Promise<void> {
    this.late.splice(this.late.indexOf(parked), 1);
    this.disturbances++;
    if (this.refusal && isWrite(parked.call)) return;
    this.log(`${parked.task.name}: ${parked.call.binding} ${parked.call.what} takes effect, late`);
    await parked.run().catch(() => {});
  }

  kill(task: Task): void {
    if (task.isDead) return;
    task.isDead = true;
    task.endedAt = Math.min(task.endedAt, this.now);
    for (const parked of this.parked.filter((one) => one.task === task)) this.parked.splice(this.parked.indexOf(parked), 1);
    this.log(`${task.name} is abandoned`);
    if (!task.isDone) task.whenKilled();
  }

  private async untilItWaits(task: Task, hasOthers: boolean): Promise<void> {
    const waits = (): boolean => this.parked.some((one) => one.task === task && !one.isBackground);
    while (!task.isDead && !task.isDone && !waits()) await task.next();
    // With other calls of its own still parked, nothing says whether the task will park another one: one turn does.
    if (hasOthers) await turn();
  }
}

/** Lets everything under way come to its end, without a failure of its own. */
export async function finishCalls(world: World): Promise<void> {
  for (let [parked] = world.parked; parked; [parked] = world.parked) await world.meet(parked, 'ok');
}
