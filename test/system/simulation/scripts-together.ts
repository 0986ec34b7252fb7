/**
 * Short histories of what meets: two operators, an operator and a completion, a create and the end of its key, a restore, a full
 * database, look-ups that take longer than a lease.
 */
import { SUPPLIERS } from './audit';
import { MANY_DOCUMENTS } from './importer';
import type { Payload } from './payload';
import { runOut, type Script } from './scripts';
import type { ParkedCall } from './world';

/** The batch of an operator that is written down in the audit trail. */
const isAudited = ({ call }: ParkedCall): boolean => call.what.includes('insert audit_entries');

/** What the operator began is about to be written when the supplier is completed. */
async function completeMeanwhile({ world, people, drain }: Script, begin: () => Promise<void>): Promise<void> {
  await begin();
  await drain(isAudited);
  const held = world.parked.find(isAudited);
  const [supplier] = SUPPLIERS;
  if (supplier) await people.changeSupplier(supplier, 'Complete');
  await drain((parked) => parked === held);
  await drain();
}

/** It is ERRORED, and its dead letter is kept. */
async function errored({ world, service, broker, create, deliver }: Script, kind: Partial<Payload> = {}): Promise<string> {
  await create(kind);
  await runOut(world, service, broker);
  await deliver();
  world.now += 1_000;
  return broker.deadLetters[0]?.id ?? '';
}

export const TOGETHER: Readonly<Record<string, (script: Script) => Promise<void>>> = {
  're-driven by two at once': async (script) => {
    const { people, drain, deliver } = script;
    const letter = await errored(script);
    await people.redrive(letter);
    await people.redrive(letter);
    await drain();
    await deliver();
    await deliver();
  },
  'retried while its supplier was completed': async (script) => {
    await errored(script);
    const [pair] = script.people.pairs;
    await completeMeanwhile(script, async () => pair && script.people.retry(pair));
  },
  're-driven while its supplier was completed': async (script) => {
    const letter = await errored(script);
    await completeMeanwhile(script, () => script.people.redrive(letter));
  },
  'retried when its window was over': async (script) => {
    const { world, people, drain } = script;
    const windowEnd = world.now + 10 * 60_000;
    await errored(script, { windowEnd });
    world.now = windowEnd + 1_000;
    const [pair] = people.pairs;
    const [supplier] = SUPPLIERS;
    if (!pair || !supplier) return;
    await people.retry(pair);
    await drain();
    await people.retryErrored(supplier, 'account_import_process_failed');
    await drain();
  },
  'retried when its payload was emptied': async (script) => {
    const { world, people, drain, cron } = script;
    await errored(script);
    const [pair] = people.pairs;
    const [supplier] = SUPPLIERS;
    if (!pair || !supplier) return;
    await people.changeSupplier(supplier, 'Complete');
    await drain();
    world.now += 25 * 60 * 60_000;
    await cron();
    await people.changeSupplier(supplier, 'Ongoing');
    await drain();
    await people.retry(pair);
    await drain();
    await people.retryErrored(supplier, 'account_import_process_failed');
    await drain();
  },
  'an older release had created its account': async ({ releases, create, deliver }) => {
    await create();
    await deliver();
    await releases.put('documented_fields_only', SUPPLIERS[0]?.id ?? 0);
  },
  'its key was revoked while another payload came': async ({ people, payload, create, drain, deliver }) => {
    await create();
    const [pair] = people.pairs;
    const [supplier] = SUPPLIERS;
    if (!pair || !supplier) return;
    await people.create(pair, payload({ version: 2 }));
    const isStaging = ({ call }: ParkedCall): boolean => call.what.includes('update import_processes');
    await drain(isStaging);
    await people.changeKey(supplier);
    await drain(isStaging);
    await drain();
    await deliver();
    await deliver();
  },
  'the database was restored to before it was created, and another was': async ({
    world,
    restore,
    people,
    payload,
    create,
    deliver,
    drain,
  }) => {
    await restore.next();
    await create();
    await deliver();
    world.now += 1_000;
    await restore.next();
    const [, another] = people.pairs;
    if (another) await people.create(another, payload({ version: 2 }));
    await drain();
    for (let step = 0; step < 2; step++) {
      await restore.next();
      await drain();
    }
    if (another) await people.create(another, payload({ version: 3 }));
    await drain();
    await deliver();
  },
  'the database was full while its message had its tries': async ({ world, service, broker, create, deliver, cron, drain }) => {
    await create();
    world.refusal = 'full';
    for (let minute = 0; minute < 5; minute++) {
      if (broker.hasAvailable()) await service.deliver();
      await drain();
      world.now += 61_000;
    }
    world.refusal = undefined;
    await deliver();
    world.now += 125_000;
    await cron();
    await deliver();
  },
  'the database was full whenever it was to be stored': async ({ world, service, broker, create, deliver, cron, drain }) => {
    await create();
    const isFinish = ({ call }: ParkedCall): boolean => call.what.includes('imports_per_minute');
    for (let attempt = 0; attempt < 2; attempt++) {
      if (broker.hasAvailable()) await service.deliver();
      await drain(isFinish);
      const finish = world.parked.find(isFinish);
      world.refusal = 'full';
      if (finish) await world.meet(finish, 'ok');
      world.refusal = undefined;
      await drain();
      world.now += 61_000;
    }
    await deliver();
    world.now += 125_000;
    await cron();
    await deliver();
  },
  'its documents took longer than a lease': async ({ world, service, create, drain, deliver }) => {
    await create({ documents: MANY_DOCUMENTS });
    world.latencyOf = ({ binding }) => (binding === 'documents' ? 9_500 : 0);
    await service.deliver();
    const [first] = world.parked;
    const begun = world.now;
    const isHolder = ({ task }: ParkedCall): boolean => task === first?.task;
    for (let parked = world.parked.find(isHolder); parked && world.now < begun + 70_000; parked = world.parked.find(isHolder))
      await world.meet(parked, 'ok');
    await service.everyMinute();
    await drain(isHolder);
    await drain();
    await deliver();
  },
};
