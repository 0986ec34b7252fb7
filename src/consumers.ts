/**
 * Which queue is consumed by what. An unknown queue throws: its messages stay in the queue instead of vanishing.
 */
import { createAccounts } from './accounts';
import type { Deps } from './deps';
import { giveUpProcesses, type ProcessKey } from './import-processes';
import { type Delivery, deliver, keepDeadLetter } from './queues/deliver';
import { type ImportMessage, importMessage } from './queues/messages';

type Consumer = (deps: Deps, deliveries: readonly Delivery<ImportMessage>[]) => Promise<ReadonlySet<string>>;

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  'account-imports': createAll,
  'account-imports-dead-letters': buryAll,
};

/** The consumer of a queue of `wrangler.toml`; queues of an environment carry its name at their end. */
export const consumerOf = (queue: string): Consumer | undefined => CONSUMERS[queue.replace(/-(?:staging|production)$/, '')];

export async function consume(batch: MessageBatch, deps: Deps): Promise<void> {
  const consumer = consumerOf(batch.queue);
  if (!consumer) throw new Error(`no consumer for queue ${batch.queue}`);
  await deliver(batch, deps, importMessage, (deliveries) => consumer(deps, deliveries));
}

const keysOf = ({ body }: Delivery<ImportMessage>): ProcessKey[] => body.process_ids.map((id) => ({ supplierId: body.supplier_id, id }));

/** All messages of the batch are created together; a message fails if one of its processes did. */
async function createAll(deps: Deps, deliveries: readonly Delivery<ImportMessage>[]): Promise<ReadonlySet<string>> {
  const keys = new Map(deliveries.flatMap(keysOf).map((key) => [`${key.supplierId}/${key.id}`, key]));
  const failed = new Set((await createAccounts(deps, [...keys.values()])).map((key) => `${key.supplierId}/${key.id}`));
  if (failed.size === 0) return new Set();
  const failedDeliveries = deliveries.filter((delivery) => keysOf(delivery).some((key) => failed.has(`${key.supplierId}/${key.id}`)));
  return new Set(failedDeliveries.map(({ messageId }) => messageId));
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
