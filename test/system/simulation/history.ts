/**
 * One history: people act, messages arrive, minutes pass, and things fail; then nothing fails any more, everything comes to rest,
 * and what is stored is validated.
 */
import { statusOf } from '../../../src/import-processes/machine';
import { beginAgain, pausedSuppliers, putBacklog, readAll, SUPPLIERS, takeBacklog } from './audit';
import { Broker } from './broker';
import { Follower } from './follower';
import { type Habits, People } from './importer';
import { check } from './model';
import { type Random, randomOf } from './random';
import { Releases } from './releases';
import { Restore } from './restore';
import { type Isolates, Service } from './service';
import { type Fate, finishCalls, type ParkedCall, World } from './world';

const MINUTE = 60_000;
/** Past the lease (60 s) and past the time after which a message counts as lost (120 s). */
const PAST_ALL = 125_000;
const MAX_ROUNDS_TO_REST = 12;

export interface Verdict {
  readonly broken: readonly string[];
  readonly trace: readonly string[];
  /** How much happened. */
  readonly calls: number;
  readonly faults: number;
  readonly processes: number;
  /** What happened how often: answers, and changes of state. */
  readonly happened: ReadonlyMap<string, number>;
}

interface Odds {
  readonly deeds: number;
  readonly atOnce: number;
  readonly habits: Habits;
  readonly database: number;
  readonly crash: number;
  readonly queue: number;
  readonly bucket: number;
  readonly jump: number;
  /** Milliseconds. */
  readonly skew: number;
  /** How long calls of each binding take at least and at most, in milliseconds. */
  readonly latency: Readonly<Record<ParkedCall['call']['binding'], readonly [least: number, most: number]>>;
  /** The database takes no writes for a while. */
  readonly refusals: boolean;
  /** Other releases have left rows behind. */
  readonly releases: boolean;
  readonly restore: boolean;
  /** Another supplier has so much waiting that no look of the sweep sees all of it. */
  readonly backlog: boolean;
}

/** How bad a world a seed makes. Some are kind: there nothing may go wrong at all. */
function oddsOf(random: Random): Odds {
  const isKind = random.chance(0.1);
  const of = (...rates: number[]): number => (isKind ? 0 : random.pick(rates));
  const manyDocuments = random.chance(0.04);
  const isSlow = random.chance(0.15);
  const isRestored = !isKind && random.chance(0.07);
  return {
    deeds: 4 + random.below(10),
    // Where look-ups take long, others come by meanwhile.
    atOnce: (manyDocuments ? 2 : 1) + random.below(4),
    habits: {
      windows: random.chance(0.4),
      documents: random.chance(0.15),
      manyDocuments,
      operator: random.chance(0.4),
      keys: random.chance(0.25),
      isReduced: random.chance(0.15),
      pairs: 1 + random.below(3),
    },
    database: of(0, 0.04, 0.15, 0.35),
    crash: of(0, 0, 0.02, 0.08),
    queue: of(0, 0.2, 0.6),
    bucket: of(0, 0.3),
    // Nobody is held up where look-ups take long: what is lost then is lost by the service.
    jump: manyDocuments ? 0 : random.pick([0, 0.3, 1]),
    skew: random.pick([0, 0, 500, 5_000]),
    latency: {
      db: [0, isSlow ? random.pick([50, 1_000, 7_000]) : 0],
      queue: [0, isSlow ? random.pick([0, 2_000]) : 0],
      documents: manyDocuments ? [8_000, 9_500] : [0, isSlow ? random.pick([65, 9_500]) : 0],
    },
    refusals: !isKind && random.chance(0.15),
    releases: !isKind && !isRestored && random.chance(0.15),
    restore: isRestored,
    backlog: !isRestored && random.chance(0.05),
  };
}

/** Sets the stage. Everything that happens on it comes from `random`. */
export async function stageOf(
  random: Random,
  habits: Habits,
  unreliability: ConstructorParameters<typeof Broker>[2],
  sweepCursor = 0,
  isolates: Isolates = { random: randomOf(1), skew: 0 },
) {
  const world = new World();
  await beginAgain(world.now, habits.isReduced, sweepCursor);
  const broker = new Broker(world, random, unreliability);
  const service = new Service(world, random, broker, isolates);
  const people = new People(world, random, service, habits);
  await people.prepare();
  const releases = new Releases(world, random, service, people);
  const restore = new Restore(world, random, service, people);
  return { world, broker, service, people, releases, restore, follower: new Follower() };
}
type Stage = Awaited<ReturnType<typeof stageOf>>;

export async function runSeed(seed: number): Promise<Verdict> {
  const random = randomOf(seed);
  const odds = oddsOf(random);
  const isLossy = odds.queue > 0;
  const unreliability = {
    drop: isLossy ? random.pick([0, 0.1, 0.5]) : 0,
    duplicate: isLossy ? random.pick([0, 0.2, 0.6]) : 0,
    delay: isLossy ? random.pick([0, 0.3]) : 0,
    maxRetries: random.pick([0, 1, 3]),
  };
  // Sweeps go on in the middle of what is pending, too.
  const isolates = { random: randomOf(seed), skew: odds.skew };
  const stage = await stageOf(random, odds.habits, unreliability, random.below(4), isolates);
  if (odds.backlog) await putBacklog(stage.world.now);
  stage.world.latencyOf = ({ binding }) => {
    const [least, most] = odds.latency[binding];
    return least + isolates.random.below(most - least + 1);
  };
  stage.world.log(JSON.stringify({ seed, ...odds, ...unreliability }));
  const leave = stage.world.enter();
  try {
    await live(stage, random, odds);
    return await conclude(stage, random);
  } finally {
    leave();
  }
}

/** While things fail. */
async function live(stage: Stage, random: Random, odds: Odds): Promise<void> {
  const { world, service, broker, people, releases, restore, follower } = stage;
  let outage = 0;
  const fateOf = (parked: ParkedCall): Fate => {
    if (random.chance(odds.crash)) return random.pick<Fate>(['crash_before', 'crash_after', 'crash_late']);
    const { binding } = parked.call;
    if (binding === 'queue') return random.chance(odds.queue) ? random.pick<Fate>(['fail_before', 'fail_after', 'crash_before']) : 'ok';
    if (binding === 'documents') return random.chance(odds.bucket) ? 'fail_before' : 'ok';
    // Failures come in rows, else the service's own retries would hide each of them.
    if (outage > 0) outage--;
    else if (!random.chance(odds.database)) return 'ok';
    else outage = random.chance(0.4) ? random.below(6) : 0;
    return random.weighted<Fate>({
      ok: 0,
      fail_before: 4,
      fail_after: 4,
      time_out: 0.5,
      time_out_late: 1,
      crash_before: 0,
      crash_after: 0,
      crash_late: 0,
    });
  };
  let deeds = odds.deeds;
  let idle = random.below(6);
  while (deeds > 0 || world.parked.length > 0 || idle-- > 0) {
    world.now += random.pick([0, 0, 1, 7, 40]);
    const tasks = new Set(world.parked.map(({ task }) => task)).size;
    const next = random.weighted({
      call: world.parked.length > 0 ? 8 : 0,
      deed: deeds > 0 && tasks < odds.atOnce ? 3 : 0,
      deliver: broker.hasAvailable() && tasks < odds.atOnce ? 5 : 0,
      cron: tasks < odds.atOnce ? (odds.habits.manyDocuments ? 1 : 0.25) : 0,
      late: world.late.length > 0 ? 0.5 : 0,
      jump: odds.jump + (odds.habits.manyDocuments ? 0 : 0.01),
      refusal: odds.refusals ? (world.refusal ? 0.6 : 0.3) : 0,
      release: odds.releases ? 1 : 0,
      restore: odds.restore ? 0.6 : 0,
    });
    switch (next) {
      case 'call': {
        const parked = random.pick(world.parked);
        await world.meet(parked, fateOf(parked));
        if (parked.call.binding === 'db') await follower.read();
        break;
      }
      case 'deed':
        deeds--;
        await people.act();
        break;
      case 'deliver':
        await service.deliver();
        break;
      case 'cron':
        await service.everyMinute();
        break;
      case 'late':
        await world.arriveLate(random.pick(world.late));
        break;
      case 'jump':
        world.now += random.pick([2_000, 10_000, 30_000, 61_000, 125_000, 5 * MINUTE]);
        break;
      case 'refusal':
        world.refusal = world.refusal ? undefined : random.pick(['full', 'read_only']);
        world.log(world.refusal ? `the database is ${world.refusal}` : 'the database takes writes again');
        break;
      case 'release':
        await releases.leave();
        break;
      case 'restore':
        await restore.next();
        break;
    }
  }
}

/** Nothing fails any more: everything must come to rest, and be right. */
export async function conclude(stage: Stage, random: Random): Promise<Verdict> {
  const { world, service, broker, people, releases, restore, follower } = stage;
  world.log('--- nothing fails any more');
  broker.becomeReliable();
  world.refusal = undefined;
  world.latencyOf = () => 0;
  await releases.readAll();
  await finishCalls(world);
  for (let step = 0; step < 3 && restore.isUnfinished; step++) {
    await restore.next();
    await finishCalls(world);
  }
  for (const late of [...world.late]) if (random.chance(0.5)) await world.arriveLate(late);
  const faults = world.faults;
  // What was asked of a supplier may not have happened: how it stands is what counts.
  const paused = await pausedSuppliers();
  for (const supplier of SUPPLIERS) if (paused.has(supplier.id)) await people.open(supplier);
  await finishCalls(world);
  world.now = Math.max(world.now, people.lastWindow);
  let stored = await readAll();
  const isAtRest = (): boolean => stored.processes.every(({ status }) => status > 1);
  for (let round = 0; round < MAX_ROUNDS_TO_REST && !isAtRest(); round++) {
    world.now += PAST_ALL;
    await service.everyMinute();
    await finishCalls(world);
    while (broker.hasAvailable()) {
      await service.deliver();
      await finishCalls(world);
    }
    stored = await readAll();
  }
  await takeBacklog();
  stored = await readAll();
  const { completed, cancelled, documentsVanished, closed } = people;
  const { isReduced } = people.habits;
  let retained = stored;
  if (isReduced) {
    await releases.becomeStricter();
    retained = await readAll();
    // A walk that was under way goes on where it was; the one of the next day begins anew. One run works through a supplier at least.
    for (let day = 0; day < 2; day++) {
      world.now += 25 * 60 * MINUTE;
      for (const _ of SUPPLIERS) {
        await service.everyMinute();
        await finishCalls(world);
      }
    }
    stored = await readAll();
  }
  const happened = new Map(people.answers);
  for (const { was, became } of stored.transitions) {
    const change = `${was === null ? 'new' : statusOf(was)} > ${statusOf(became)}`;
    happened.set(change, (happened.get(change) ?? 0) + 1);
  }
  const broken = [
    ...(isAtRest() ? [] : stored.processes.filter(({ status }) => status < 2).map(({ id }) => `process ${id} never comes to rest`)),
    ...check(people, stored, {
      faults: faults + broker.dropped,
      deadLetters: broker.deadLetters,
      completed,
      cancelled,
      closed,
      documentsVanished,
      isReduced,
      retained,
      tasks: service.tasks,
      deliveries: service.deliveries,
      cleanSweeps: service.cleanSweeps,
      skew: service.isolates.skew,
      releases,
      undone: restore.undone,
    }),
    // What a restore took back had been read.
    ...(restore.undone ? [] : await follower.check(stored)),
    ...people.broken,
    ...service.surprises,
    ...service.progress.broken,
  ];
  happened.set('sweeps whose progress was asked', service.progress.asked);
  return { broken, trace: world.trace, calls: world.moment, faults, processes: stored.processes.length, happened };
}
