/**
 * Short histories of erasure, and of who else is at work meanwhile.
 */
import type { Script } from './scripts';
import type { ParkedCall } from './world';

/** The batch that erases, and one that adds a note. */
const erases = ({ call }: ParkedCall): boolean => call.what.includes('update payloads') && call.what.includes('insert audit_entries');
const adds = ({ call }: ParkedCall): boolean => call.what.includes('insert notes');
const reduces = ({ call }: ParkedCall): boolean => call.what.includes('update payloads');

async function imported({ world, create, deliver }: Script): Promise<void> {
  await create();
  await deliver();
  world.now += 1_000;
}

async function cancelled({ world, people, create, drain }: Script): Promise<void> {
  await create();
  const [pair] = people.pairs;
  if (pair) await people.cancel(pair);
  await drain();
  world.now += 1_000;
}

export const OF_ERASURE: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  'its account was erased': async (script) => {
    const { erasures, people, drain, cron } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!pair) return;
    await people.ask(pair, { kind: 'notes', notes: [{ body: 'n0' }] });
    await drain();
    await erasures.eraseAccountOf(pair);
    await drain();
    await erasures.eraseAccountOf(pair);
    await drain();
    await cron();
  },
  'its account was erased by two at once': async (script) => {
    const { erasures, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!pair) return;
    await erasures.eraseAccountOf(pair);
    await erasures.eraseAccountOf(pair);
    await drain();
  },
  'its account was erased while something was added to it': async (script) => {
    const { erasures, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!pair) return;
    await erasures.eraseAccountOf(pair);
    await drain(erases);
    await people.ask(pair, { kind: 'statements', statements: [{ statement_id: 's0', number: '1' }] });
    await drain(erases);
    await drain();
  },
  'something was added to its account while that was erased': async (script) => {
    const { erasures, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!pair) return;
    await people.ask(pair, { kind: 'notes', notes: [{ body: 'n0' }] });
    await drain(adds);
    await erasures.eraseAccountOf(pair);
    await drain(adds);
    await drain();
  },
  'its payload was being reduced while its account was erased': async (script) => {
    const { service, erasures, people, drain } = script;
    await imported(script);
    const [pair] = people.pairs;
    if (!pair) return;
    await service.everyMinute();
    await drain(reduces);
    const [reduction] = script.world.parked;
    await erasures.eraseAccountOf(pair);
    await drain((parked) => parked === reduction);
    await drain();
  },
  'it was erased while it waited': async ({ erasures, people, create, drain, deliver }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await erasures.eraseProcess(pair);
    await drain();
    await deliver();
  },
  'it was erased while a consumer took it': async ({ world, service, erasures, people, create, drain }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await erasures.eraseProcess(pair);
    await drain(erases);
    const erasure = world.parked.find(erases);
    await service.deliver();
    await drain((parked) => parked === erasure);
    await drain();
  },
  'it was erased, and a create that the network kept back came after': async (script) => {
    const { world, erasures, people, createLate, drain } = script;
    await cancelled(script);
    await createLate({ version: 2 });
    const [pair] = people.pairs;
    if (pair) await erasures.eraseProcess(pair);
    await drain();
    for (const late of [...world.late]) await world.arriveLate(late);
  },
  'it was erased and created again': async (script) => {
    const { erasures, people, create, deliver, drain } = script;
    await cancelled(script);
    const [pair] = people.pairs;
    if (pair) await erasures.eraseProcess(pair);
    await drain();
    await create({ version: 2 });
    await deliver();
    await deliver();
  },
};
