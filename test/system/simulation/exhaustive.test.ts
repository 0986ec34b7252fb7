/**
 * Every failure at every call of a binding of a short history, one at a time.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS } from '../../../src/import-processes/machine';
import { readAll } from './audit';
import { conclude } from './conclude';
import { stageOf } from './history';
import { observe } from './observer';
import type { Payload } from './payload';
import { randomOf } from './random';
import { HISTORIES, SETTINGS } from './scripts';
import type { Fate, ParkedCall } from './world';

/** Their failures are part of every run of the tests; those of the others of `npm run simulate`. */
const ALWAYS = ['created and consumed', 'its message was lost', 'delivered twice at once'];
const given: Record<string, unknown> = { ...env };
const isWhole = (name: string): boolean => !SETTINGS[name]?.isLong && (given['SIMULATION_EXHAUSTIVE'] === 'on' || ALWAYS.includes(name));

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

const HABITS = { windows: false, documents: true, operator: true, keys: false, runs: false, webhooks: false, erasure: false, pairs: 1 };

/** Runs a script; the call numbered `at` meets `fate`. */
async function run(name: string, at: number, fate: Fate) {
  const stage = await stageOf(
    randomOf(1),
    {
      ...HABITS,
      isReduced: SETTINGS[name]?.isReduced ?? false,
      manyDocuments: SETTINGS[name]?.isLong ?? false,
      ...SETTINGS[name]?.habits,
    },
    { drop: 0, duplicate: 0, delay: 0, maxRetries: 1 },
  );
  const { world, service, people } = stage;
  const fates: (readonly Fate[])[] = [];
  const drain = async (staying: (parked: ParkedCall) => boolean = () => false): Promise<void> => {
    const next = (): ParkedCall | undefined => world.parked.find((parked) => !staying(parked));
    for (let parked = next(); parked; parked = next()) {
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
    documents: 0,
    windowStart: undefined,
    windowEnd: undefined,
    form: 'plain',
    isPersonal: people.habits.runs || people.habits.erasure,
    ...kind,
  });
  const then = (begin: () => Promise<void>) => async (): Promise<void> => {
    await begin();
    await drain();
  };
  const leave = world.enter();
  try {
    const begin = async (kind?: Partial<Payload>): Promise<void> => {
      const [pair] = people.pairs;
      if (pair) await people.create(pair, payload(kind));
    };
    await HISTORIES[name]?.({
      ...stage,
      drain,
      payload,
      create: async (kind) => {
        await begin(kind);
        await drain();
      },
      createLate: async (kind) => {
        await begin(kind);
        await drain(({ call }) => call.what.includes('update import_processes'));
        const [staging] = world.parked;
        if (staging) await world.meet(staging, 'crash_late');
        // What comes next is validated later.
        world.now += 1;
      },
      deliver: then(() => service.deliver()),
      cron: then(() => service.everyMinute()),
    });
    const statusesNow = async (): Promise<number[]> => (await readAll()).processes.map(({ status }) => status);
    const atOnce = await statusesNow();
    const verdict = await conclude(stage, randomOf(at));
    return { verdict, fates, atOnce, statuses: await statusesNow() };
  } finally {
    leave();
  }
}

describe('a single failure anywhere', () => {
  beforeAll(observe);

  it.each(Object.keys(HISTORIES))('ends well: %s', { timeout: 120_000 }, async (name) => {
    const { end = STATUS.PROCESSED, otherwise = [], isOpen = false } = SETTINGS[name] ?? {};
    const whole = await run(name, 0, 'ok');
    // It ends by itself, and not by the sweeps and deliveries that come at the end of every history.
    const once = (statuses: readonly number[]): number[] => [...new Set(statuses)];
    const ended = { broken: whole.verdict.broken, atOnce: isOpen ? [end] : once(whole.atOnce), statuses: once(whole.statuses) };
    expect(ended, whole.verdict.trace.join('\n')).toEqual({ broken: [], atOnce: [end], statuses: [end] });
    if (!isWhole(name)) return;
    console.log(`single failures: ${whole.fates.length} calls, ${whole.fates.flat().length} failures in "${name}"`);
    for (const [index, fates] of whole.fates.entries()) {
      for (const fate of fates) {
        const { verdict, statuses } = await run(name, index + 1, fate);
        const isWell = verdict.broken.length === 0 && statuses.every((status) => [end, ...otherwise].includes(status));
        const reported = { call: index + 1, fate, broken: verdict.broken, statuses, trace: verdict.trace };
        expect(isWell ? 'well' : reported).toBe('well');
      }
    }
  });
});
