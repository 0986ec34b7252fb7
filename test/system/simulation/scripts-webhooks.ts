/**
 * Short histories of somebody who has events pushed.
 */
import { SUPPLIERS } from './audit';
import type { Script } from './scripts';
import type { ParkedCall } from './world';

const [SUPPLIER] = SUPPLIERS;
const isPush = ({ call }: ParkedCall): boolean => call.binding === 'fetch';

/** Somebody follows, and these events wait to be pushed: an account, and a note of it. */
async function waiting({ webhooks, people, create, deliver, drain }: Script): Promise<void> {
  await webhooks.add(SUPPLIER);
  await drain();
  await create();
  await deliver();
  const [pair] = people.pairs;
  if (pair) await people.ask(pair, { kind: 'notes', notes: [{ body: 'n0' }] });
  await drain();
}

/** Pushes until what is parked is a request to the receiver. */
async function pushing({ service, broker, cron, drain }: Script): Promise<void> {
  await cron();
  if (broker.hasAvailable()) await service.deliver();
  await drain(isPush);
}

async function change({ webhooks, drain }: Script, kind: 'disable' | 'enable' | 'rotate' | 'replay' | 'remove'): Promise<void> {
  const [webhook] = webhooks.all;
  if (webhook?.id !== undefined) await webhooks.change(webhook, kind, webhook.newestBefore);
  await drain(isPush);
}

export const OF_WEBHOOKS: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  'it was pushed': async (script) => {
    await waiting(script);
    await script.cron();
    await script.deliver();
  },
  'it was not taken at first': async (script) => {
    const { world, receiver, cron, deliver } = script;
    await waiting(script);
    receiver.failing = 1;
    for (let attempt = 0; attempt < 2; attempt++) {
      await cron();
      await deliver();
      world.now += 31_000;
    }
    receiver.failing = 0;
    await cron();
    await deliver();
  },
  'it was pushed by two at once': async (script) => {
    const { world, drain } = script;
    await waiting(script);
    await pushing(script);
    const [first] = world.parked;
    const isFirst = ({ task }: ParkedCall): boolean => task === first?.task;
    world.now += 61_000;
    await script.service.everyMinute();
    await drain(isFirst);
    if (script.broker.hasAvailable()) await script.service.deliver();
    await drain(isFirst);
    await drain();
  },
  'its webhook was disabled while it was pushed': async (script) => {
    const { world, cron, deliver, drain } = script;
    await waiting(script);
    await pushing(script);
    await change(script, 'disable');
    await drain();
    world.now += 61_000;
    await cron();
    await deliver();
    await change(script, 'enable');
    await cron();
    await deliver();
  },
  'it was pushed again while it was pushed': async (script) => {
    const { world, cron, deliver, drain } = script;
    await waiting(script);
    await pushing(script);
    // The first event was taken, and the second is on its way.
    const first = world.parked.find(isPush);
    if (first) await world.meet(first, 'ok');
    await drain(isPush);
    await change(script, 'replay');
    await drain();
    world.now += 61_000;
    await cron();
    await deliver();
  },
  'its webhook was given another secret': async (script) => {
    await waiting(script);
    await change(script, 'rotate');
    await script.cron();
    await script.deliver();
  },
  'its webhook was removed while it was pushed': async (script) => {
    const { world, cron, deliver, drain } = script;
    await waiting(script);
    await pushing(script);
    await change(script, 'remove');
    await drain();
    world.now += 61_000;
    await cron();
    await deliver();
  },
};
