/**
 * Nothing left to chance: short histories, and in each of them every failure at every call of a binding, one at a time.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS } from '../../src/import-processes/machine';
import { observe, readAll, SUPPLIERS } from './audit';
import { conclude, stageOf } from './history';
import type { Payload } from './payload';
import { randomOf } from './random';
import type { Fate, ParkedCall } from './world';

type Stage = Awaited<ReturnType<typeof stageOf>>;

interface Script extends Stage {
  /** Lets everything that was begun come to its end, but for the one call that fails. */
  drain(): Promise<void>;
  payload(kind?: Partial<Payload>): Payload;
  create(kind?: Partial<Payload>): Promise<void>;
  deliver(): Promise<void>;
  cron(): Promise<void>;
}

const HISTORIES: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  'created and consumed': async ({ create, deliver, cron }) => {
    await create();
    await deliver();
    await cron();
  },
  'its message was lost': async ({ world, broker, create, deliver, cron }) => {
    await create();
    broker.stored.length = 0;
    world.now += 125_000;
    await cron();
    await deliver();
  },
  'its consumer died': async ({ world, service, broker, create, deliver, cron }) => {
    await create();
    if (broker.hasAvailable()) await service.deliver();
    const [claim] = world.parked;
    if (claim) await world.meet(claim, 'crash_after');
    world.now += 61_000;
    await cron();
    await deliver();
    await deliver();
  },
  'created twice': async ({ create, deliver, payload, people, drain }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await people.create(pair, payload({ version: 2 }));
    await drain();
    await deliver();
    await deliver();
  },
  'delivered twice at once': async ({ service, broker, create, drain }) => {
    await create();
    const [message] = broker.stored;
    if (message) broker.stored.push({ ...message });
    await service.deliver();
    await service.deliver();
    await drain();
  },
  'its tries ran out and the operator retried it': async ({ world, service, broker, people, create, deliver, drain }) => {
    await create();
    // The delivery, its retry, and then the dead letter.
    for (let attempt = 0; attempt < 2; attempt++) {
      if (broker.hasAvailable()) await service.deliver();
      for (let [parked] = world.parked; parked; [parked] = world.parked) await world.meet(parked, 'fail_before');
      world.now += 61_000;
    }
    await deliver();
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain();
    await deliver();
    await deliver();
  },
  'its consumers died until it was given up': async ({ world, service, broker, people, create, deliver, cron, drain }) => {
    await create();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const [message] = broker.stored;
      if (message) broker.stored.splice(0, broker.stored.length, { ...message, availableAt: 0, attempts: 1, queue: 'account-imports' });
      if (broker.hasAvailable()) await service.deliver();
      const [claim] = world.parked;
      if (claim) await world.meet(claim, 'crash_after');
      world.now += 61_000;
      if (attempt < MAX_ATTEMPTS - 1) await service.everyMinute();
      for (let [parked] = world.parked; parked; [parked] = world.parked) await world.meet(parked, 'ok');
    }
    await cron();
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain();
    await deliver();
  },
  'paused and resumed': async ({ world, people, create, deliver, cron, drain }) => {
    await create();
    const [supplier] = SUPPLIERS;
    if (!supplier) return;
    await people.changeSupplier(supplier, 'Paused');
    await drain();
    await deliver();
    world.now += 1_000;
    await people.changeSupplier(supplier, 'Ongoing');
    await drain();
    await cron();
    await deliver();
  },
};

/** Part of every run of the tests; the others by `npm run simulate`. */
const ALWAYS = ['created and consumed', 'its message was lost', 'delivered twice at once'];
const given: Record<string, unknown> = { ...env };
const chosen = Object.entries(HISTORIES).filter(([name]) => given['SIMULATION_EXHAUSTIVE'] === 'on' || ALWAYS.includes(name));

const OF_DATABASE: readonly Fate[] = [
  'fail_before',
  'fail_after',
  'crash_before',
  'crash_after',
  'crash_late',
  'time_out',
  'time_out_late',
];
const OF_OTHERS: readonly Fate[] = ['fail_before', 'fail_after', 'crash_before', 'crash_after'];
const fatesOf = ({ call }: ParkedCall): readonly Fate[] => (call.binding === 'db' ? OF_DATABASE : OF_OTHERS);

/** Runs a script; the call numbered `at` meets `fate`. */
async function run(play: (script: Script) => Promise<void>, at: number, fate: Fate) {
  const stage = await stageOf(
    randomOf(1),
    { windows: false, documents: true, operator: true, isReduced: false, pairs: 1 },
    { drop: 0, duplicate: 0, delay: 0, maxRetries: 1 },
  );
  const { world, service, people } = stage;
  const fates: (readonly Fate[])[] = [];
  const drain = async (): Promise<void> => {
    for (let [parked] = world.parked; parked; [parked] = world.parked) {
      fates.push(fatesOf(parked));
      world.now += 1;
      await world.meet(parked, fates.length === at ? fate : 'ok');
    }
  };
  const payload = (kind: Partial<Payload> = {}): Payload => ({
    version: 1,
    isDryRun: false,
    isRich: true,
    document: 'simulated.pdf',
    windowStart: undefined,
    windowEnd: undefined,
    ...kind,
  });
  const then = (begin: () => Promise<void>) => async (): Promise<void> => {
    await begin();
    await drain();
  };
  const leave = world.enter();
  try {
    await play({
      ...stage,
      drain,
      payload,
      create: async (kind) => {
        const [pair] = people.pairs;
        if (pair) await people.create(pair, payload(kind));
        await drain();
      },
      deliver: then(() => service.deliver()),
      cron: then(() => service.everyMinute()),
    });
    const verdict = await conclude(stage, randomOf(at));
    const { processes } = await readAll();
    return { verdict, fates, statuses: processes.map(({ status }) => status) };
  } finally {
    leave();
  }
}

describe('a single failure anywhere', () => {
  beforeAll(observe);

  it.each(chosen)('ends well: %s', { timeout: 120_000 }, async (name, play) => {
    const whole = await run(play, 0, 'ok');
    expect(whole.verdict.broken).toEqual([]);
    expect(whole.statuses).toEqual([2]);
    console.log(`single failures: ${whole.fates.length} calls, ${whole.fates.flat().length} failures in "${name}"`);
    for (const [index, fates] of whole.fates.entries()) {
      for (const fate of fates) {
        const { verdict, statuses } = await run(play, index + 1, fate);
        // Where the operator's retry itself failed, he has not asked for more yet.
        const allowed = /operator|given up/.test(name) ? [2, 3] : [2];
        const isWell = verdict.broken.length === 0 && statuses.every((status) => allowed.includes(status));
        const told = { call: index + 1, fate, broken: verdict.broken, statuses, trace: verdict.trace };
        expect(isWell ? 'well' : told).toBe('well');
      }
    }
  });
});
