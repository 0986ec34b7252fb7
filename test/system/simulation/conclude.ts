/**
 * The end of a history: nothing fails any more, everything comes to rest, and what is stored is compared with what was promised.
 */
import { statusOf } from '../../../src/import-processes/machine';
import { readRows } from '../../support/tables';
import { pausedSuppliers, readAll, type Stored, SUPPLIERS, takeBacklog, textOfTables } from './audit';
import type { Stage } from './history';
import { check } from './model';
import type { Random } from './random';
import { Reconciling } from './reconcile';
import { finishCalls } from './world';

const MINUTE = 60_000;
/** Past the lease (60 s) and past the time after which a message counts as lost (120 s). */
const PAST_ALL = 125_000;
const MAX_ROUNDS_TO_REST = 12;
/** Past the longest time between two tries of a webhook. */
const PAST_TRIES = 4 * 60 * MINUTE;
const MAX_ROUNDS_TO_PUSH = 5;

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

/** Nothing fails any more: everything must come to rest, and be right. */
export async function conclude(stage: Stage, random: Random): Promise<Verdict> {
  const { world, service, broker, people, releases, restore, follower, receiver, runs, webhooks, erasures } = stage;
  await calm(stage, random);
  const faults = world.faults;
  const finish = (): Promise<void> => finishCalls(world);
  if (people.habits.runs || people.habits.webhooks) await people.renewKeys();
  world.now = Math.max(world.now, people.lastWindow);
  // What runs hold may wait for ever.
  const rested = await rest(stage, ({ status, is_held }) => status > 1 || is_held === 1);
  const reconciling = new Reconciling(people, finish);
  let stored = rested;
  if (stored.runs.length > 0) {
    await reconciling.compare(stored);
    await reconciling.releaseAll(stored);
    stored = await rest(stage, ({ status }) => status > 1);
    await reconciling.compare(stored);
  }
  const notAtRest = stored.processes.filter(({ status }) => status < 2);
  if (people.habits.webhooks) await pushAll(stage);
  await takeBacklog();
  stored = await readAll();
  const { completed, cancelled, documentsVanished, closed } = people;
  const { isReduced } = people.habits;
  let retained = stored;
  if (isReduced) {
    await releases.becomeStricter();
    retained = await readAll();
    await passDays(stage);
    stored = await readAll();
  }
  const texts = people.habits.runs || people.habits.erasure ? await textOfTables() : new Map<string, string>();
  const broken = [
    ...notAtRest.map(({ id }) => `process ${id} never comes to rest`),
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
      runs: runs.deeds,
      rested,
      erased: erasures.erased,
      texts,
      webhooks: webhooks.all,
      attempts: receiver.attempts,
    }),
    // What a restore took back had been read.
    ...(restore.undone ? [] : await follower.check(stored)),
    ...people.broken,
    ...reconciling.broken,
    ...service.surprises,
    ...service.progress.broken,
  ];
  const happened = happenedIn(stage, stored);
  happened.set('sweeps whose progress was asked', service.progress.asked);
  happened.set('runs whose totals were compared', reconciling.compared);
  happened.set('events pushed', receiver.attempts.length);
  return { broken, trace: world.trace, calls: world.moment, faults, processes: stored.processes.length, happened };
}

/** What is under way comes to its end, and suppliers and the database are there for everybody. */
async function calm({ world, broker, people, releases, restore, receiver }: Stage, random: Random): Promise<void> {
  world.log('--- nothing fails any more');
  broker.becomeReliable();
  receiver.failing = 0;
  world.refusal = undefined;
  world.latencyOf = () => 0;
  await releases.readAll();
  await finishCalls(world);
  for (let step = 0; step < 3 && restore.isUnfinished; step++) {
    await restore.next();
    await finishCalls(world);
  }
  for (const late of [...world.late]) if (random.chance(0.5)) await world.arriveLate(late);
  // What was asked of a supplier may not have happened: how it stands is what counts.
  const paused = await pausedSuppliers();
  for (const supplier of SUPPLIERS) if (paused.has(supplier.id)) await people.open(supplier);
  await finishCalls(world);
}

/** Sweeps and delivers until every process is at rest, or it takes too long. */
async function rest(stage: Stage, isAtRest: (process: Stored['processes'][number]) => boolean): Promise<Stored> {
  let stored = await readAll();
  for (let round = 0; round < MAX_ROUNDS_TO_REST && !stored.processes.every(isAtRest); round++) {
    stage.world.now += PAST_ALL;
    await sweepAndDeliver(stage);
    stored = await readAll();
  }
  return stored;
}

async function sweepAndDeliver({ world, service, broker }: Stage): Promise<void> {
  await service.everyMinute();
  await finishCalls(world);
  while (broker.hasAvailable()) {
    await service.deliver();
    await finishCalls(world);
  }
}

/** Every webhook that is there takes what waits for it. */
async function pushAll(stage: Stage): Promise<void> {
  const { world, webhooks } = stage;
  await webhooks.enableAll(() => finishCalls(world));
  for (let round = 0, waiting = 1; round < MAX_ROUNDS_TO_PUSH && waiting > 0; round++) {
    world.now += PAST_TRIES;
    await sweepAndDeliver(stage);
    const results = await readRows<{ waiting: number }>(
      'SELECT count(*) AS waiting FROM webhook_cursors WHERE after_id < (SELECT max(id) FROM events WHERE supplier_id = webhook_cursors.supplier_id)',
    );
    waiting = results[0]?.waiting ?? 0;
  }
}

/** Retention comes. A walk that was under way goes on where it was; the one of the next day begins anew. One run works through a supplier at least. */
async function passDays({ world, service }: Stage): Promise<void> {
  for (let day = 0; day < 2; day++) {
    world.now += 25 * 60 * MINUTE;
    for (const _ of SUPPLIERS) {
      await service.everyMinute();
      await finishCalls(world);
    }
  }
}

function happenedIn({ people }: Stage, { transitions }: Stored): Map<string, number> {
  const happened = new Map(people.answers);
  for (const { was, became } of transitions) {
    const change = `${was === null ? 'new' : statusOf(was)} > ${statusOf(became)}`;
    happened.set(change, (happened.get(change) ?? 0) + 1);
  }
  return happened;
}
