/**
 * A world in which only one thing happens at a time. Tasks (a request, a delivery, a run of the cron) go on until they call a
 * binding; there they are parked, and the simulation chooses who goes on, and whether the call succeeds, fails, fails after its
 * effect, takes effect too late, or never comes back. Time is a number that the simulation moves.
 */
import type { Around, BindingCall } from '../support/around';
import { lostConnection, never } from '../support/around';

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
  /** A call of this task may take effect after it. */
  isUnderWay = false;
  readonly timers = new Map<number, () => void>();
  /** Runs when the task is abandoned. */
  whenKilled: () => void = () => {};
  private tell: () => void = () => {};
  private event: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    readonly startedAt: number,
  ) {
    this.renew();
  }

  signal(): void {
    this.tell();
    this.renew();
  }

  /** The next time the task is parked or done. */
  next(): Promise<void> {
    return this.event;
  }

  private renew(): void {
    this.event = new Promise((resolve) => {
      this.tell = resolve;
    });
  }
}

export interface ParkedCall {
  readonly task: Task;
  readonly call: BindingCall;
  readonly run: () => Promise<unknown>;
  readonly answer: (value: unknown) => void;
  readonly refuse: (error: unknown) => void;
  isBackground: boolean;
}

export class World {
  /** Unix milliseconds. */
  now = Date.UTC(2026, 10, 20, 10);
  /** Counts everything that happens: orders what began and ended when. */
  moment = 0;
  faults = 0;
  readonly parked: ParkedCall[] = [];
  /** Calls whose caller is gone but whose effect is still on its way. */
  readonly late: ParkedCall[] = [];
  readonly trace: string[] = [];
  private current: Task | undefined;
  private timer = 0;

  tell(line: string): void {
    this.trace.push(`${String(++this.moment).padStart(4)} ${new Date(this.now).toISOString().slice(5, 23)}  ${line}`);
  }

  /** Puts the world's clock and timers in the place of the real ones; returns what takes them away again. */
  enter(): () => void {
    const setTimer = (callback: () => void, milliseconds = 0): number => {
      const handle = ++this.timer;
      if (milliseconds >= TIME_OUT_MILLISECONDS) this.current?.timers.set(handle, callback);
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
        this.parked.push({ task, call, run, answer, refuse: reject, isBackground: false });
        task.signal();
      });
    };
  }

  /** What the task has asked for last goes on without it: its answer does not wait for it. */
  sendToBackground(task: Task): void {
    for (const parked of this.parked) if (parked.task === task) parked.isBackground = true;
  }

  async start(task: Task, work: () => Promise<void>): Promise<Task> {
    this.tell(`${task.name} begins`);
    this.current = task;
    const end = (outcome: string): void => {
      if (task.isDead) return;
      task.isDone = true;
      this.tell(`${task.name} ends${outcome}`);
      task.signal();
    };
    void work().then(
      () => end(''),
      (error) => end(`: ${String(error)}`),
    );
    await this.settle(task, false);
    return task;
  }

  /** Lets a parked call meet its fate, and its task go on until it is parked again. */
  async meet(parked: ParkedCall, fate: Fate): Promise<void> {
    this.parked.splice(this.parked.indexOf(parked), 1);
    const { task, call, run, answer, refuse } = parked;
    this.tell(`${task.name}: ${call.binding} ${call.what}${fate === 'ok' ? '' : ` -> ${fate}`}`);
    if (fate !== 'ok') {
      this.faults++;
      task.faults++;
    }
    this.current = task;
    if (fate === 'crash_late' || fate === 'time_out_late') task.isUnderWay = true;
    const hasOthers = this.parked.some((other) => other.task === task);
    switch (fate) {
      case 'ok':
        await run().then(answer, refuse);
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
        for (const fire of [...task.timers.values()]) fire();
        break;
    }
    await this.settle(task, hasOthers || parked.isBackground);
  }

  /** The effect of a call that nobody waits for any more. */
  async arriveLate(parked: ParkedCall): Promise<void> {
    this.late.splice(this.late.indexOf(parked), 1);
    this.tell(`${parked.task.name}: ${parked.call.binding} ${parked.call.what} takes effect, late`);
    await parked.run().catch(() => {});
  }

  kill(task: Task): void {
    if (task.isDead) return;
    task.isDead = true;
    for (const parked of this.parked.filter((one) => one.task === task)) this.parked.splice(this.parked.indexOf(parked), 1);
    this.tell(`${task.name} is abandoned`);
    if (!task.isDone) task.whenKilled();
  }

  private async settle(task: Task, hasOthers: boolean): Promise<void> {
    const waits = (): boolean => this.parked.some((one) => one.task === task && !one.isBackground);
    while (!task.isDead && !task.isDone && !waits()) await task.next();
    // With other calls of its own still parked, nothing says whether the task will park another one: one turn does.
    if (hasOthers) await turn();
  }
}
