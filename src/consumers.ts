/**
 * Which queue is consumed by what. An unknown queue throws: its messages stay in the queue instead of vanishing.
 */
import { createAccounts, type Unfinished } from './accounts';
import type { Deps } from './deps';
import { drainBacklog, giveUpProcesses, type ProcessKey, sendLeft } from './import-processes';
import { type Delivery, deliver, keepDeadLetter } from './queues/deliver';
import { type DeliveryMessage, deliveryMessage, type ImportMessage, importMessage } from './queues/messages';
import { deliverEvents } from './webhooks';

type Consumer = (batch: MessageBatch, deps: Deps) => Promise<void>;

const ofImports =
  (handle: (deps: Deps, deliveries: readonly Delivery<ImportMessage>[]) => Promise<ReadonlySet<string>>): Consumer =>
  (batch, deps) =>
    deliver(batch, deps, importMessage, (deliveries) => handle(deps, deliveries));

const ofWebhooks =
  (handle: (deps: Deps, deliveries: readonly Delivery<DeliveryMessage>[]) => Promise<ReadonlySet<string>>): Consumer =>
  (batch, deps) =>
    deliver(batch, deps, deliveryMessage, (deliveries) => handle(deps, deliveries));

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  'account-imports': ofImports(createAll),
  'account-imports-dead-letters': ofImports(buryAll),
  'webhook-deliveries': ofWebhooks(pushAll),
  'webhook-deliveries-dead-letters': ofWebhooks(leaveToSweep),
};

/** The consumer of a queue of `wrangler.toml`; queues of an environment carry its name at their end. */
export const consumerOf = (queue: string): Consumer | undefined => CONSUMERS[queue.replace(/-(?:staging|production)$/, '')];

export async function consume(batch: MessageBatch, deps: Deps): Promise<void> {
  const consumer = consumerOf(batch.queue);
  if (!consumer) throw new Error(`no consumer for queue ${batch.queue}`);
  await consumer(batch, deps);
}

const keysOf = ({ body }: Delivery<ImportMessage>): ProcessKey[] => body.process_ids.map((id) => ({ supplierId: body.supplier_id, id }));
const nameOf = (key: ProcessKey): string => `${key.supplierId}/${key.id}`;

/**
 * All messages of the batch are created together, but for what travels alone: that comes last, one after the other. A message fails
 * if one of its processes did.
 */
async function createAll(deps: Deps, deliveries: readonly Delivery<ImportMessage>[]): Promise<ReadonlySet<string>> {
  const together = deliveries.filter(({ body }) => !body.is_alone).flatMap(keysOf);
  const groups = [
    [...new Map(together.map((key) => [nameOf(key), key])).values()],
    ...deliveries.filter(({ body }) => body.is_alone).map(keysOf),
  ];
  const unfinished: Unfinished[] = [];
  for (const keys of groups) unfinished.push(await createAccounts(deps, keys));
  const failed = new Set(unfinished.flatMap((one) => [...one.failed, ...one.interrupted]).map(nameOf));
  const left = unfinished.flatMap((one) => one.left);
  if (!(await sendLeft(deps, left))) for (const key of left) failed.add(nameOf(key));
  const hasFailed = (delivery: Delivery<ImportMessage>): boolean => keysOf(delivery).some((key) => failed.has(nameOf(key)));
  await goOn(
    deps,
    deliveries.filter((delivery) => delivery.body.has_more && !hasFailed(delivery)),
  );
  return new Set(deliveries.filter(hasFailed).map(({ messageId }) => messageId));
}

/** Sends as much of a backlog as was consumed of it. If that fails, the next sweep goes on. */
async function goOn(deps: Deps, consumed: readonly Delivery<ImportMessage>[]): Promise<void> {
  const processes = new Map<number, number>();
  for (const { body } of consumed) processes.set(body.supplier_id, (processes.get(body.supplier_id) ?? 0) + body.process_ids.length);
  try {
    await drainBacklog(deps, deps.db, processes);
  } catch (error) {
    deps.log.error('backlog_not_drained', error, { messages: consumed.length });
  }
}

/** A message out of tries: those of its processes that failed end as ERRORED, and then it is there for the operator. Each message for itself. */
async function buryAll(deps: Deps, deliveries: readonly Delivery<ImportMessage>[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  for (const delivery of deliveries) {
    try {
      const givenUp = await giveUpProcesses(deps, keysOf(delivery), delivery.body.sent_at);
      if (givenUp > 0) await keepDeadLetter(deps, 'account-imports', delivery);
      deps.log.error('message_out_of_tries', new Error('retries exhausted'), { message_id: delivery.messageId, given_up: givenUp });
    } catch (error) {
      deps.log.error('dead_letter_failed', error, { message_id: delivery.messageId });
      failed.add(delivery.messageId);
    }
  }
  return failed;
}

/** Each webhook and supplier for itself, at the same time. */
async function pushAll(deps: Deps, deliveries: readonly Delivery<DeliveryMessage>[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  await Promise.all(
    deliveries.map(async ({ messageId, body }) => {
      try {
        await deliverEvents(deps, body);
      } catch (error) {
        deps.log.error('delivery_failed', error, { webhook: body.webhook_id, supplier: body.supplier_id });
        failed.add(messageId);
      }
    }),
  );
  return failed;
}

/** A delivery out of tries loses nothing: its cursor says what waits, and the sweep sends another message. */
async function leaveToSweep(deps: Deps, deliveries: readonly Delivery<DeliveryMessage>[]): Promise<ReadonlySet<string>> {
  for (const { messageId, body } of deliveries)
    deps.log.error('delivery_out_of_tries', new Error('retries exhausted'), { message_id: messageId, webhook: body.webhook_id });
  return new Set();
}
