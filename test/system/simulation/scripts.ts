/**
 * Short histories that nothing is left to chance in: each leads to a moment that a random one seldom meets.
 */
import { MAX_EXPIRIES, STATUS } from '../../../src/import-processes/machine';
import { SUPPLIERS } from './audit';
import type { stageOf } from './history';
import type { Habits } from './importer';
import type { Payload } from './payload';
import { OF_ERASURE } from './scripts-erasure';
import { OF_RUNS } from './scripts-runs';
import { TOGETHER } from './scripts-together';
import { OF_WEBHOOKS } from './scripts-webhooks';
import type { ParkedCall } from './world';

export type Stage = Awaited<ReturnType<typeof stageOf>>;

export interface Script extends Stage {
  /** Lets everything that was begun come to its end, but for the one call that fails and for what is asked to stay. */
  drain(staying?: (parked: ParkedCall) => boolean): Promise<void>;
  /** Sends a create and leaves the write that replaces what is there on its way, for `world.late` to bring. */
  createLate(kind: Partial<Payload>): Promise<void>;
  payload(kind?: Partial<Payload>): Payload;
  create(kind?: Partial<Payload>): Promise<void>;
  deliver(): Promise<void>;
  cron(): Promise<void>;
}

export const HISTORIES: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  ...TOGETHER,
  ...OF_RUNS,
  ...OF_ERASURE,
  ...OF_WEBHOOKS,
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
    await runOut(world, service, broker);
    await deliver();
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain();
    await deliver();
    await deliver();
  },
  'its consumers died until it was given up': async ({ world, service, broker, people, create, deliver, cron, drain }) => {
    await create();
    await dieTooOften(world, service, broker);
    await cron();
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain();
    await deliver();
  },
  'a create was kept back by the network': async ({ world, create, createLate, deliver }) => {
    await create();
    await createLate({ version: 2 });
    await create({ version: 3 });
    for (const late of [...world.late]) await world.arriveLate(late);
    await deliver();
    await deliver();
  },
  'a create was kept back by the network until after it was cancelled': async ({ world, people, create, createLate, drain }) => {
    await create();
    await createLate({ version: 2 });
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain();
    for (const late of [...world.late]) await world.arriveLate(late);
  },
  'a dry run of it came while it waited': async ({ create, deliver }) => {
    await create();
    await create({ version: 2, isDryRun: true });
    await deliver();
  },
  'a dry run was kept back by the network until the real import waited': async ({ world, create, createLate, deliver }) => {
    await create({ isDryRun: true });
    await createLate({ version: 2, isDryRun: true });
    await create({ version: 3 });
    for (const late of [...world.late]) await world.arriveLate(late);
    await deliver();
    await deliver();
  },
  'created three times in one request, once as a dry run': async ({ people, payload, drain, deliver }) => {
    const [pair] = people.pairs;
    if (!pair) return;
    const payloads = [payload(), payload({ version: 2, isDryRun: true }), payload({ version: 3 })];
    await people.createTogether(payloads.map((one) => ({ pair, payload: one })));
    await drain();
    await deliver();
  },
  'created in one request that the network kept back until it was created again': async ({
    world,
    people,
    payload,
    create,
    drain,
    deliver,
  }) => {
    await create();
    const [pair] = people.pairs;
    if (!pair) return;
    await people.createTogether([2, 3].map((version) => ({ pair, payload: payload({ version }) })));
    await drain(replaces);
    const [staging] = world.parked;
    if (staging) await world.meet(staging, 'crash_late');
    await create({ version: 4 });
    for (const late of [...world.late]) await world.arriveLate(late);
    await deliver();
    await deliver();
  },
  'created again in another form while a consumer held it': async ({ service, people, payload, create, drain, deliver }) => {
    await create();
    await service.deliver();
    const [pair] = people.pairs;
    await drain(isFinish);
    if (pair) await people.create(pair, payload({ form: 'turned' }));
    await drain(isFinish);
    if (pair) await people.createTogether([{ pair, payload: payload({ form: 'wrapped' }) }]);
    await drain(isFinish);
    await drain();
    await deliver();
  },
  'created with another payload while a consumer held it': async ({ service, people, payload, create, drain, deliver }) => {
    await create();
    await service.deliver();
    const [pair] = people.pairs;
    await drain(isFinish);
    if (pair) await people.create(pair, payload({ version: 2 }));
    await drain(isFinish);
    if (pair) await people.create(pair, payload());
    await drain(isFinish);
    await drain();
    await deliver();
  },
  'cancelled while a consumer held it': async ({ service, people, create, drain }) => {
    await create();
    await service.deliver();
    await drain(isFinish);
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain(isFinish);
    await service.everyMinute();
    await drain(isFinish);
    await drain();
  },
  'completed while a consumer held it': async ({ service, people, create, drain }) => {
    await create();
    await service.deliver();
    await drain(isFinish);
    const [supplier] = SUPPLIERS;
    if (supplier) await people.changeSupplier(supplier, 'Complete');
    await drain(isFinish);
    await service.everyMinute();
    await drain(isFinish);
    await drain();
  },
  'created again while its payload was being reduced': async ({ world, service, people, create, payload, drain, deliver }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain();
    world.now += 1_000;
    await service.everyMinute();
    await drain(reduces);
    if (pair) await people.create(pair, payload({ version: 2 }));
    await drain(reduces);
    await drain();
    await deliver();
    await deliver();
  },
  'created again and imported while its payload was being reduced': async ({ world, service, people, create, payload, drain }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain();
    world.now += 1_000;
    await service.everyMinute();
    await drain(reduces);
    if (pair) await people.create(pair, payload({ version: 2 }));
    await drain(reduces);
    for (let message = 0; message < 2; message++) {
      await service.deliver();
      await drain(reduces);
    }
    await drain();
  },
  'created again after its payload was reduced': async ({ world, people, create, drain, deliver, cron }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await people.cancel(pair);
    await drain();
    world.now += 1_000;
    await cron();
    await create({ version: 2 });
    await deliver();
    await deliver();
  },
  'given up, retried, and its consumer died once more': async ({ world, service, broker, people, create, drain, deliver, cron }) => {
    await create();
    await dieTooOften(world, service, broker);
    await cron();
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain();
    await dieOnce(world, service, cron, deliver);
  },
  'given up, created again, and its consumer died once more': async ({ world, service, broker, create, deliver, cron }) => {
    await create();
    await dieTooOften(world, service, broker);
    await cron();
    broker.stored.length = 0;
    await create();
    await dieOnce(world, service, cron, deliver);
  },
  'another organisation would cancel it': async ({ people, create, drain, deliver }) => {
    await create();
    const [pair] = people.pairs;
    if (pair) await people.cancelAsAnother(pair);
    await drain();
    await deliver();
  },
  'its tries ran out': async ({ world, service, broker, create, deliver, cron }) => {
    await create();
    await runOut(world, service, broker);
    await deliver();
    await cron();
  },
  'its tries ran out while the database was away': async ({ world, service, broker, create, deliver, cron }) => {
    await create();
    await runOut(world, service, broker, 'db');
    await deliver();
    world.now += 125_000;
    await cron();
    await deliver();
  },
  'its consumers died too often': async ({ world, service, broker, create, cron }) => {
    await create();
    await dieTooOften(world, service, broker);
    await cron();
  },
  'another consumer took over from one that was held up and then failed': async ({ world, service, create, drain, cron, deliver }) => {
    await create();
    await service.deliver();
    await drain(isFinish);
    const [slow] = world.parked;
    world.now += 61_000;
    await service.everyMinute();
    await drain(isFinish);
    await service.deliver();
    await drain(isFinish);
    const ofSlow = (parked: ParkedCall): boolean => parked.task === slow?.task;
    for (let parked = world.parked.find(ofSlow); parked && isFinish(parked); parked = world.parked.find(ofSlow))
      await world.meet(parked, 'fail_before');
    await drain(isFinish);
    await drain();
    await cron();
    await deliver();
  },
  'its dead letter came again after it was retried': async ({ world, service, broker, people, create, deliver, drain, cron }) => {
    await create();
    await runOut(world, service, broker);
    const [dead] = broker.stored;
    await deliver();
    const [pair] = people.pairs;
    world.now += 1_000;
    if (pair) await people.retry(pair);
    await drain();
    if (dead) broker.stored.unshift(dead);
    await deliver();
    await cron();
    await deliver();
  },
  'its payload was replaced while its dead letter waited': async ({ world, service, broker, create, deliver }) => {
    await create();
    await runOut(world, service, broker);
    const [dead] = broker.stored.splice(0);
    world.now += 1_000;
    await create({ version: 2 });
    const others = broker.stored.splice(0);
    if (dead) broker.stored.push(dead);
    await deliver();
    broker.stored.push(...others);
    await deliver();
  },
  'two sweeps released it at once': async ({ world, service, create, drain }) => {
    await create();
    await service.deliver();
    const [claim] = world.parked;
    if (claim) await world.meet(claim, 'crash_after');
    world.now += 61_000;
    await service.everyMinute();
    const [reads] = world.parked;
    if (reads) await world.meet(reads, 'ok');
    const [releases] = world.parked;
    const isFirst = (parked: ParkedCall): boolean => parked.task === releases?.task;
    await service.everyMinute();
    await drain(isFirst);
    // A consumer holds it by now.
    await service.deliver();
    await drain((parked) => isFirst(parked) || isFinish(parked));
    await drain(isFinish);
    await drain();
  },
  'two sweeps gave it up at once': async ({ world, service, broker, people, create, deliver, drain, cron }) => {
    await create();
    await dieTooOften(world, service, broker);
    broker.stored.length = 0;
    // One of them reads what has expired and goes on when all the others are done.
    await service.everyMinute();
    const [reads] = world.parked;
    if (reads) await world.meet(reads, 'ok');
    const [gives] = world.parked;
    const isFirst = (parked: ParkedCall): boolean => parked.task === gives?.task;
    await service.everyMinute();
    await drain(isFirst);
    const [pair] = people.pairs;
    if (pair) await people.retry(pair);
    await drain(isFirst);
    await drain();
    await cron();
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

/** The batch of a consumer that ends what it holds: the fence comes first. */
const isFinish = ({ call }: ParkedCall): boolean => /^select json_each.* imports_per_minute/.test(call.what);

/** A batch that replaces what is staged. */
const replaces = ({ call }: ParkedCall): boolean => call.what.includes('update import_processes') && call.what.includes('insert payloads');

const reduces = ({ call }: ParkedCall): boolean => call.what.includes('update payloads');

/** A consumer dies of what it claimed, the sweep gives it back, and another one goes on. */
async function dieOnce(world: Stage['world'], service: Stage['service'], cron: Script['cron'], deliver: Script['deliver']): Promise<void> {
  await service.deliver();
  const [claim] = world.parked;
  if (claim) await world.meet(claim, 'crash_after');
  world.now += 61_000;
  await cron();
  await deliver();
  await deliver();
}

/** Its message runs out of tries, a delivery and its retry, because one binding fails; the dead letter is there to be delivered. */
export async function runOut(
  world: Stage['world'],
  service: Stage['service'],
  broker: Stage['broker'],
  away: ParkedCall['call']['binding'] = 'documents',
): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (broker.hasAvailable()) await service.deliver();
    for (let [parked] = world.parked; parked; [parked] = world.parked)
      await world.meet(parked, parked.call.binding === away ? 'fail_before' : 'ok');
    world.now += 61_000;
  }
}

/** Each of its claims is made by a consumer that dies of it; the last lease has run out. */
async function dieTooOften(world: Stage['world'], service: Stage['service'], broker: Stage['broker']): Promise<void> {
  for (let attempt = 0; attempt < MAX_EXPIRIES; attempt++) {
    const [message] = broker.stored;
    if (message) broker.stored.splice(0, broker.stored.length, { ...message, availableAt: 0, attempts: 1, queue: 'account-imports' });
    if (broker.hasAvailable()) await service.deliver();
    const [claim] = world.parked;
    if (claim) await world.meet(claim, 'crash_after');
    world.now += 61_000;
    if (attempt < MAX_EXPIRIES - 1) await service.everyMinute();
    for (let [parked] = world.parked; parked; [parked] = world.parked) await world.meet(parked, 'ok');
  }
}

export interface Setting {
  /** How it ends; PROCESSED by default. */
  readonly end?: number;
  /** How else it may end after a failure: as somebody's own failing request left it. */
  readonly otherwise?: readonly number[];
  /** Payloads go as soon as they are not needed. */
  readonly isReduced?: boolean;
  /** What somebody does in it that is not done in all. */
  readonly habits?: Partial<Habits>;
  /** It has more than one account, or leaves to its conclusion what it holds. */
  readonly isOpen?: boolean;
  /** Too many calls to try every failure at each. */
  readonly isLong?: boolean;
}

const { ERRORED, CANCELLED, PROCESSED } = STATUS;

const ofAll = (histories: object, setting: Setting): Readonly<Record<string, Setting>> =>
  Object.fromEntries(Object.keys(histories).map((name) => [name, setting]));

const OF_RUN: Setting = { habits: { runs: true } };
const OF_ERASED: Setting = { habits: { erasure: true } };

export const SETTINGS: Readonly<Record<string, Setting>> = {
  ...ofAll(OF_RUNS, OF_RUN),
  ...ofAll(OF_ERASURE, OF_ERASED),
  ...ofAll(OF_WEBHOOKS, { habits: { webhooks: true } }),
  'its run was held while its message was on its way': { ...OF_RUN, isOpen: true },
  'two of three were let out': { habits: { runs: true, pairs: 3 }, isOpen: true },
  'its run stopped after an error': { habits: { runs: true, pairs: 3 }, end: ERRORED, otherwise: [PROCESSED], isOpen: true },
  'its run let one start each minute': { habits: { runs: true, pairs: 3 }, isOpen: true },
  'its run was cancelled while a consumer held it': { ...OF_RUN, otherwise: [CANCELLED] },
  'taken back': { ...OF_RUN, end: CANCELLED, otherwise: [PROCESSED] },
  'cancelled, created again, and taken back': { ...OF_RUN, end: CANCELLED, otherwise: [PROCESSED] },
  'taken back by two at once': { ...OF_RUN, end: CANCELLED, otherwise: [PROCESSED] },
  'taken back and created again': { ...OF_RUN, otherwise: [CANCELLED] },
  'taken back while something was added to it': { ...OF_RUN, otherwise: [CANCELLED] },
  'added to while it was taken back': { ...OF_RUN, end: CANCELLED, otherwise: [PROCESSED] },
  'its payload was being reduced while its account was erased': { ...OF_ERASED, isReduced: true },
  'it was erased while it waited': { ...OF_ERASED, end: CANCELLED, otherwise: [PROCESSED] },
  'it was erased while a consumer took it': { ...OF_ERASED, otherwise: [CANCELLED] },
  'it was erased, and a create that the network kept back came after': { ...OF_ERASED, end: CANCELLED, otherwise: [PROCESSED] },
  'it was erased and created again': { ...OF_ERASED, otherwise: [CANCELLED] },
  'a create was kept back by the network until after it was cancelled': { end: CANCELLED, otherwise: [PROCESSED] },
  'a dry run of it came while it waited': { otherwise: [STATUS.DRY_RUN_SUCCEEDED] },
  'a dry run was kept back by the network until the real import waited': { otherwise: [STATUS.DRY_RUN_SUCCEEDED] },
  'cancelled while a consumer held it': { otherwise: [CANCELLED] },
  'completed while a consumer held it': { otherwise: [CANCELLED] },
  'created again while its payload was being reduced': { isReduced: true, otherwise: [CANCELLED] },
  'its tries ran out and the operator retried it': { otherwise: [ERRORED] },
  'its consumers died until it was given up': { otherwise: [ERRORED] },
  'created again and imported while its payload was being reduced': { isReduced: true, otherwise: [CANCELLED] },
  'created again after its payload was reduced': { isReduced: true, otherwise: [CANCELLED] },
  'given up, retried, and its consumer died once more': { otherwise: [ERRORED] },
  'given up, created again, and its consumer died once more': { otherwise: [ERRORED] },
  're-driven by two at once': { otherwise: [ERRORED] },
  'retried while its supplier was completed': { end: ERRORED, otherwise: [CANCELLED, PROCESSED] },
  're-driven while its supplier was completed': { end: ERRORED, otherwise: [CANCELLED, PROCESSED] },
  'retried when its window was over': { end: ERRORED, otherwise: [CANCELLED] },
  'retried when its payload was emptied': { end: ERRORED, otherwise: [CANCELLED, PROCESSED], isReduced: true },
  'an older release had created its account': { isReduced: true },
  'its documents took longer than a lease': { isLong: true },
  'its tries ran out': { end: ERRORED, otherwise: [PROCESSED], isReduced: true },
  'its consumers died too often': { end: ERRORED, otherwise: [PROCESSED] },
  'its dead letter came again after it was retried': { otherwise: [ERRORED] },
  'its payload was replaced while its dead letter waited': { otherwise: [ERRORED] },
  'two sweeps gave it up at once': { otherwise: [ERRORED] },
};
