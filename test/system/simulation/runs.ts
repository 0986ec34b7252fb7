/**
 * Those who deliver accounts in runs: they make them, hold and release them, let a few go first, cancel them, and take them back.
 */
import { type GivenSupplier, SUPPLIERS } from './audit';
import { CANARY, type People } from './importer';
import type { Random } from './random';
import type { Pair } from './record';
import type { Answer } from './service';
import type { Task, World } from './world';

/** Runs of a supplier: what happens to the one is anybody's guess; of the other only the first so many are let out. */
export const WAVE = 'wave';
const NAMES = [WAVE, CANARY];

export type RunDeedKind = 'make' | 'hold' | 'release' | 'canary' | 'cancel' | 'undo';

/** Something done to a run. Moments of the world. */
export interface RunDeed {
  readonly kind: RunDeedKind;
  readonly supplierId: number;
  readonly run: string;
  readonly startedAt: number;
  endedAt: number;
  /** Undefined: no answer ever came. */
  status: number | undefined;
  body: unknown;
  /** The number of its task. */
  task: number;
  hadFaults: boolean;
  /** Its write may take effect later than its answer. */
  isUnderWay: boolean;
  /** Of a canary. */
  readonly accounts?: number | undefined;
  /** Of what was made. */
  readonly isHeld?: boolean | undefined;
  readonly stopAfterErrors?: number | undefined;
}

export interface RunBody {
  readonly is_held: boolean;
  readonly pace_per_minute?: number;
  readonly stop_after_errors?: number;
}

export class Runs {
  readonly deeds: RunDeed[] = [];
  /** What each run is made with, however often it is asked for. */
  private readonly bodies = new Map<string, RunBody>();

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly people: People,
  ) {
    if (people.habits.runs) people.runOf = (pair) => this.runOf(pair);
  }

  /** Runs that are surely there. */
  made(supplierId: number): string[] {
    return NAMES.filter((run) => this.deeds.some((deed) => deed.supplierId === supplierId && deed.run === run && isMade(deed)));
  }

  /** Somebody does something with a run. */
  async act(): Promise<void> {
    const { random } = this;
    const supplier = random.chance(0.85) ? SUPPLIERS[0] : random.pick(SUPPLIERS);
    if (!supplier) return;
    const run = random.chance(0.65) ? WAVE : CANARY;
    if (!this.made(supplier.id).includes(run)) return this.make(supplier, run);
    const deed =
      run === CANARY ? random.weighted({ canary: 4, hold: 0.5 }) : random.weighted({ hold: 2, release: 3, canary: 2, cancel: 1, undo: 4 });
    switch (deed) {
      case 'hold':
        return this.hold(supplier, run);
      case 'release':
        return this.release(supplier, run);
      case 'canary':
        return this.canary(supplier, run, 1 + random.below(2));
      case 'cancel':
        return this.cancel(supplier, run);
      case 'undo':
        return this.undo(supplier, run);
    }
  }

  make(supplier: GivenSupplier, run: string, body: RunBody = this.bodyOf(supplier, run)): Promise<void> {
    this.bodies.set(`${supplier.code}/${run}`, body);
    const { is_held: isHeld, stop_after_errors: stopAfterErrors } = body;
    return this.ask({ kind: 'make', isHeld, stopAfterErrors }, supplier, run, { method: 'PUT', path: pathOf(supplier, run), body });
  }

  private bodyOf({ code }: GivenSupplier, run: string): RunBody {
    const { random } = this;
    const key = `${code}/${run}`;
    const isWave = run === WAVE;
    const body = this.bodies.get(key) ?? {
      is_held: !isWave || random.chance(0.35),
      ...(isWave && random.chance(0.25) ? { pace_per_minute: 1 + random.below(2) } : {}),
      ...(isWave && random.chance(0.7) ? { stop_after_errors: 1 + random.below(2) } : {}),
    };
    this.bodies.set(key, body);
    return body;
  }

  hold = (supplier: GivenSupplier, run: string): Promise<void> => this.post('hold', supplier, run);

  release = (supplier: GivenSupplier, run: string): Promise<void> => this.post('release', supplier, run, {});

  canary = (supplier: GivenSupplier, run: string, accounts: number): Promise<void> =>
    this.ask({ kind: 'canary', accounts }, supplier, run, {
      method: 'POST',
      path: `${pathOf(supplier, run)}release/`,
      body: { accounts },
    });

  cancel = (supplier: GivenSupplier, run: string): Promise<void> => this.post('cancel', supplier, run);

  /** The operator takes back what was imported. */
  async undo(supplier: GivenSupplier, run: string): Promise<void> {
    const deed = this.begin({ kind: 'undo' }, supplier, run);
    const path = `/operator/v1/suppliers/${supplier.code}/runs/${run}/undo/`;
    await this.people.operate(
      `undo ${supplier.code}/${run}`,
      'POST',
      path,
      { reason: 'because' },
      () => {},
      (task, answer) => this.end(deed, task, answer),
    );
  }

  /** The run that a new account comes in: most come in one. */
  private runOf({ supplierId }: Pair): string | undefined {
    const runs = this.made(supplierId);
    return runs.length > 0 && this.random.chance(0.75) ? this.random.pick(runs) : undefined;
  }

  private post(kind: 'hold' | 'release' | 'cancel', supplier: GivenSupplier, run: string, body?: object): Promise<void> {
    return this.ask({ kind }, supplier, run, { method: 'POST', path: `${pathOf(supplier, run)}${kind}/`, body });
  }

  private async ask(
    what: Pick<RunDeed, 'kind' | 'accounts' | 'isHeld' | 'stopAfterErrors'>,
    supplier: GivenSupplier,
    run: string,
    request: { readonly method: string; readonly path: string; readonly body?: unknown },
  ): Promise<void> {
    const deed = this.begin(what, supplier, run);
    const name = `${what.kind} run ${supplier.code}/${run} ${JSON.stringify(request.body ?? {})}`;
    await this.people.request(
      name,
      request,
      supplier,
      [{ supplierId: supplier.id, supplierCode: supplier.code, number: '' }],
      (task, answer) => {
        this.people.count(`${what.kind} run`, answer);
        this.end(deed, task, answer);
      },
    );
  }

  private begin(
    what: Pick<RunDeed, 'kind' | 'accounts' | 'isHeld' | 'stopAfterErrors'>,
    { id: supplierId }: GivenSupplier,
    run: string,
  ): RunDeed {
    const deed: RunDeed = {
      ...what,
      supplierId,
      run,
      startedAt: this.world.moment + 1,
      endedAt: Number.POSITIVE_INFINITY,
      status: undefined,
      body: undefined,
      task: 0,
      hadFaults: false,
      isUnderWay: false,
    };
    this.deeds.push(deed);
    return deed;
  }

  private end(deed: RunDeed, task: Task, answer: Answer | undefined): void {
    deed.endedAt = this.world.moment;
    deed.status = answer?.status;
    deed.body = answer?.body;
    deed.task = Number.parseInt(task.name, 10);
    deed.hadFaults = task.faults > 0;
    deed.isUnderWay = task.isUnderWay;
    this.world.log(`${task.name} -> ${answer ? `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 160)}` : 'nothing'}`);
  }
}

/** It answered that the run is there. */
const isMade = ({ status }: RunDeed): boolean => status === 200 || status === 201;

const pathOf = ({ code }: GivenSupplier, run: string): string => `/v2/data-import/runs/${code}/${run}/`;
