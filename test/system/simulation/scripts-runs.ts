/**
 * Short histories of runs: held, let out by numbers, stopped by themselves, cancelled, and taken back.
 */
import { SUPPLIERS } from './audit';
import { type RunBody, WAVE } from './runs';
import type { Script } from './scripts';
import type { ParkedCall } from './world';

const [SUPPLIER] = SUPPLIERS;

/** The batch that takes accounts back. */
const takesBack = ({ call }: ParkedCall): boolean => call.what.includes('delete accounts');

async function make({ runs, drain }: Script, isHeld: boolean, limits: Omit<RunBody, 'is_held'> = {}): Promise<void> {
  if (!SUPPLIER) return;
  await runs.make(SUPPLIER, WAVE, { is_held: isHeld, ...limits });
  await drain();
}

/** Of the first supplier, one after the other. */
async function createAll({ people, payload, drain, world }: Script): Promise<void> {
  for (const [index, pair] of people.pairs.filter(({ supplierId }) => supplierId === SUPPLIER?.id).entries()) {
    await people.create(pair, payload({ version: index + 1, run: WAVE }));
    await drain();
    world.now += 1;
  }
}

/** It is imported in a run. */
async function imported(script: Script): Promise<void> {
  await make(script, false);
  await script.create({ run: WAVE });
  await script.deliver();
  script.world.now += 1_000;
}

async function undo({ runs, drain }: Script): Promise<void> {
  if (SUPPLIER) await runs.undo(SUPPLIER, WAVE);
  await drain();
}

export const OF_RUNS: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  'its run was held and released': async (script) => {
    const { world, runs, create, deliver, cron, drain } = script;
    await make(script, true);
    await create({ run: WAVE });
    world.now += 125_000;
    await cron();
    await deliver();
    if (SUPPLIER) await runs.release(SUPPLIER, WAVE);
    await drain();
    await deliver();
    await deliver();
  },
  'its run was held while its message was on its way': async (script) => {
    const { world, runs, create, deliver, cron, drain } = script;
    await make(script, false);
    await create({ run: WAVE });
    if (SUPPLIER) await runs.hold(SUPPLIER, WAVE);
    await drain();
    await deliver();
    world.now += 125_000;
    await cron();
    await deliver();
  },
  'two of three were let out': async (script) => {
    const { world, runs, deliver, cron, drain } = script;
    await make(script, true);
    await createAll(script);
    if (SUPPLIER) await runs.canary(SUPPLIER, WAVE, 2);
    await drain();
    for (let round = 0; round < 3; round++) {
      await deliver();
      world.now += 125_000;
      await cron();
    }
  },
  'its run stopped after an error': async (script) => {
    const { world, people, service, broker, cron, drain } = script;
    await make(script, false, { stop_after_errors: 1 });
    await createAll(script);
    await people.loseDocument();
    for (let round = 0; round < 4; round++) {
      const [first, ...others] = broker.stored.splice(0);
      if (first) broker.stored.push(first);
      if (broker.hasAvailable()) await service.deliver();
      await drain();
      broker.stored.push(...others);
      world.now += 31_000;
      await cron();
    }
  },
  'its run let one start each minute': async (script) => {
    const { world, cron, deliver } = script;
    await make(script, false, { pace_per_minute: 1 });
    await createAll(script);
    for (let round = 0; round < 3; round++) {
      await cron();
      await cron();
      await deliver();
      world.now += 20_000;
    }
  },
  'its run was cancelled while a consumer held it': async (script) => {
    const { service, runs, create, drain } = script;
    await make(script, false);
    await create({ run: WAVE });
    await service.deliver();
    const [claim] = script.world.parked;
    if (claim) await script.world.meet(claim, 'ok');
    const isOfConsumer = ({ task }: ParkedCall): boolean => task === claim?.task;
    if (SUPPLIER) await runs.cancel(SUPPLIER, WAVE);
    await drain(isOfConsumer);
    await drain();
  },
  'taken back': async (script) => {
    await imported(script);
    await undo(script);
  },
  'cancelled, created again, and taken back': async (script) => {
    const { world, people, create, deliver, drain } = script;
    await make(script, false);
    await create({ run: WAVE });
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain();
    world.now += 1_000;
    await create({ version: 2, run: WAVE });
    await deliver();
    await deliver();
    await undo(script);
  },
  'taken back by two at once': async (script) => {
    const { runs, drain } = script;
    await imported(script);
    if (!SUPPLIER) return;
    await runs.undo(SUPPLIER, WAVE);
    await runs.undo(SUPPLIER, WAVE);
    await drain();
  },
  'taken back and created again': async (script) => {
    const { world, runs, create, deliver, drain } = script;
    await imported(script);
    await undo(script);
    world.now += 1_000;
    await create({ version: 2, run: WAVE });
    if (SUPPLIER) await runs.release(SUPPLIER, WAVE);
    await drain();
    await deliver();
    await deliver();
  },
  'taken back while something was added to it': async (script) => {
    const { runs, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!SUPPLIER || !pair) return;
    await runs.undo(SUPPLIER, WAVE);
    await drain(takesBack);
    await people.ask(pair, { kind: 'notes', notes: [{ body: 'n0' }] });
    await drain(takesBack);
    await drain();
  },
  'added to while it was taken back': async (script) => {
    const { runs, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!SUPPLIER || !pair) return;
    const isAdding = ({ call }: ParkedCall): boolean => call.what.includes('insert transactions');
    await people.ask(pair, { kind: 'transactions', isChecked: true, transactions: [{ transaction_id: 't0', amountMinor: 1 }] });
    await drain(isAdding);
    await runs.undo(SUPPLIER, WAVE);
    await drain(isAdding);
    await drain();
  },
};
