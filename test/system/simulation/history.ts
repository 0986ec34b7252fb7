/**
 * One history: people act, messages arrive, minutes pass, and things fail.
 */
import { beginAgain, putBacklog, SUPPLIERS } from './audit';
import { Broker } from './broker';
import { conclude, type Verdict } from './conclude';
import { Erasures } from './erasures';
import { Follower } from './follower';
import { CANARY, type Habits, People } from './importer';
import { type Random, randomOf } from './random';
import { Receiver } from './receiver';
import { Releases } from './releases';
import { Restore } from './restore';
import { Runs, WAVE } from './runs';
import { type Isolates, Service } from './service';
import { Webhooks } from './webhooks';
import { type Fate, finishCalls, type ParkedCall, World } from './world';

const MINUTE = 60_000;
interface Odds {
  /** The bucket fails most of the time, and no message has a second try. */
  readonly isStubborn: boolean;
  /** It begins with accounts that are imported already. */
  readonly isUnderWay: boolean;
  readonly deeds: number;
  readonly atOnce: number;
  readonly habits: Habits;
  readonly database: number;
  readonly crash: number;
  readonly queue: number;
  readonly bucket: number;
  /** How often requests to others fail, and how often what arrives is not taken. */
  readonly receiver: number;
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
function oddsOf(random: Random, more: Random): Odds {
  const isKind = random.chance(0.1);
  const of = (...rates: number[]): number => (isKind ? 0 : random.pick(rates));
  const manyDocuments = random.chance(0.04);
  const isSlow = random.chance(0.15);
  const isRestored = !isKind && random.chance(0.07);
  // Chance of their own, so that they change nothing in the histories that have none of them.
  const runs = more.chance(0.2) && !isRestored;
  const webhooks = more.chance(0.2) && !isRestored;
  const erasure = more.chance(0.15) && !isRestored;
  const isWider = runs || webhooks || erasure;
  // Tries run out, and the operator sends again what they ran out of.
  const isStubborn = !isKind && more.chance(0.12);
  const extra = (probability: number): boolean => isWider && more.chance(probability);
  return {
    deeds: 4 + random.below(10) + (isWider || isStubborn ? 6 : 0),
    isStubborn,
    isUnderWay: extra(0.7),
    // Where look-ups take long, others come by meanwhile.
    atOnce: (manyDocuments ? 2 : 1) + random.below(4),
    habits: {
      windows: random.chance(0.4),
      documents: random.chance(0.15) || isStubborn || (runs && more.chance(0.4)),
      manyDocuments,
      operator: random.chance(0.4) || isStubborn || extra(0.3),
      keys: random.chance(0.25),
      isReduced: random.chance(0.15) || (erasure && more.chance(0.2)),
      runs,
      webhooks,
      erasure,
      pairs: 1 + random.below(3),
    },
    database: of(0, 0.04, 0.15, 0.35),
    crash: of(0, 0, 0.02, 0.08),
    queue: of(0, 0.2, 0.6),
    bucket: of(0, 0.3) || (isStubborn ? 0.6 : 0),
    receiver: isKind || !webhooks ? 0 : more.pick([0, 0.2, 0.5]),
    // Nobody is held up where look-ups take long: what is lost then is lost by the service.
    jump: manyDocuments ? 0 : random.pick([0, 0.3, 1]),
    skew: random.pick([0, 0, 500, 5_000]),
    latency: {
      db: [0, isSlow ? random.pick([50, 1_000, 7_000]) : 0],
      queue: [0, isSlow ? random.pick([0, 2_000]) : 0],
      documents: manyDocuments ? [8_000, 9_500] : [0, isSlow ? random.pick([65, 9_500]) : 0],
      fetch: [0, webhooks && more.chance(0.3) ? 9_000 : 0],
    },
    refusals: !isKind && random.chance(0.15),
    releases: !isKind && !isRestored && random.chance(0.15) && !erasure,
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
  await beginAgain(world.now, habits.isReduced, sweepCursor, habits.runs ? 24 : 0);
  const broker = new Broker(world, random, unreliability);
  const service = new Service(world, random, broker, isolates);
  const people = new People(world, random, service, habits);
  await people.prepare();
  const releases = new Releases(world, random, service, people);
  const restore = new Restore(world, random, service, people);
  const receiver = new Receiver(world, random);
  const runs = new Runs(world, random, people);
  const webhooks = new Webhooks(world, random, people, receiver);
  const erasures = new Erasures(random, people);
  return { world, broker, service, people, releases, restore, follower: new Follower(), receiver, runs, webhooks, erasures };
}
export type Stage = Awaited<ReturnType<typeof stageOf>>;

export async function runSeed(seed: number): Promise<Verdict> {
  const random = randomOf(seed);
  const odds = oddsOf(random, randomOf(seed + 1_000_003));
  const isLossy = odds.queue > 0;
  const unreliability = {
    drop: isLossy ? random.pick([0, 0.1, 0.5]) : 0,
    duplicate: isLossy ? random.pick([0, 0.2, 0.6]) : 0,
    delay: isLossy ? random.pick([0, 0.3]) : 0,
    maxRetries: random.pick(odds.isStubborn ? [0] : [0, 1, 3]),
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
    if (odds.isUnderWay) await begin(stage, random);
    await live(stage, random, odds);
    return await conclude(stage, random);
  } finally {
    leave();
  }
}

/** Some histories begin where accounts are imported already, and somebody follows. */
async function begin({ world, service, broker, people, runs, webhooks }: Stage, random: Random): Promise<void> {
  const [supplier] = SUPPLIERS;
  if (!supplier) return;
  if (people.habits.webhooks) await webhooks.add(supplier, random.chance(0.2));
  await finishCalls(world);
  if (people.habits.runs)
    await (random.chance(0.75) ? runs.make(supplier, WAVE, { is_held: false, stop_after_errors: 1 }) : runs.make(supplier, CANARY));
  await finishCalls(world);
  for (const pair of people.pairs.slice(0, 2)) {
    await people.createNew(pair);
    await finishCalls(world);
  }
  for (let delivery = 0; delivery < 2 && broker.hasAvailable(); delivery++) {
    await service.deliver();
    await finishCalls(world);
  }
}

/** While things fail. */
async function live(stage: Stage, random: Random, odds: Odds): Promise<void> {
  const { world, service, broker, people, releases, restore, follower, receiver, runs, webhooks, erasures } = stage;
  receiver.failing = odds.receiver;
  let outage = 0;
  const fateOf = (parked: ParkedCall): Fate => {
    if (random.chance(odds.crash)) return random.pick<Fate>(['crash_before', 'crash_after', 'crash_late']);
    const { binding } = parked.call;
    if (binding === 'queue') return random.chance(odds.queue) ? random.pick<Fate>(['fail_before', 'fail_after', 'crash_before']) : 'ok';
    if (binding === 'fetch') return random.chance(odds.receiver) ? random.pick<Fate>(['fail_before', 'fail_after']) : 'ok';
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
      run: odds.habits.runs && deeds > 0 && tasks < odds.atOnce ? 2.4 : 0,
      webhook: odds.habits.webhooks && deeds > 0 && tasks < odds.atOnce ? 1.2 : 0,
      erase: odds.habits.erasure && deeds > 0 && tasks < odds.atOnce ? 0.8 : 0,
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
      case 'run':
        deeds--;
        await runs.act();
        break;
      case 'webhook':
        deeds--;
        await webhooks.act();
        break;
      case 'erase':
        deeds--;
        await erasures.act();
        break;
    }
  }
}
