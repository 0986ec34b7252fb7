/**
 * Delivery: the only code that acknowledges or retries. A message is acknowledged after its effect is committed. Error policy:
 * a message that cannot be read is buried (stored as a dead letter, loudly); one whose handling failed is retried with backoff
 * until the queue hands it to its dead-letter queue. Each message is handled by itself.
 */
import type * as z from 'zod';
import { query } from '../db';
import type { Deps } from '../deps';
import { bury } from './store';

export interface Delivery<T> {
  readonly messageId: string;
  readonly body: T;
}

const RETRY_BASE_SECONDS = 5;
const RETRY_MAX_SECONDS = 600;

/** Exponential backoff: base, 2·base, 4·base … seconds, at most ten minutes. `attempts` counts from 1. Pure. */
export const retryDelaySeconds = (attempts: number, baseSeconds = RETRY_BASE_SECONDS): number =>
  Math.min(RETRY_MAX_SECONDS, baseSeconds * 2 ** Math.max(0, attempts - 1));

/**
 * Hands the readable messages of a batch to `handle`, which answers the ids of those that failed. If it throws, all failed.
 */
export async function deliver<T>(
  batch: MessageBatch,
  deps: Deps,
  schema: z.ZodType<T>,
  handle: (deliveries: readonly Delivery<T>[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const readable: { message: Message; delivery: Delivery<T> }[] = [];
  for (const message of batch.messages) {
    const body = schema.safeParse(message.body);
    if (body.success) readable.push({ message, delivery: { messageId: message.id, body: body.data } });
    else await buryUnreadable(batch.queue, message, deps);
  }
  if (readable.length === 0) return;
  let failed: ReadonlySet<string>;
  try {
    failed = await handle(readable.map(({ delivery }) => delivery));
  } catch (error) {
    deps.log.error('consumer_failed', error, { queue: batch.queue, messages: readable.length });
    failed = new Set(readable.map(({ delivery }) => delivery.messageId));
  }
  for (const { message, delivery } of readable) {
    if (failed.has(delivery.messageId)) retry(message, deps);
    else message.ack();
  }
}

/** Keeps a delivery that is out of tries, for the operator to look at and to re-drive. */
export async function keepDeadLetter(deps: Deps, queue: string, delivery: Delivery<object>): Promise<void> {
  await query(deps.db, bury({ queue, messageId: delivery.messageId, message: JSON.stringify(delivery.body), failedAt: deps.now() }));
}

async function buryUnreadable(queue: string, message: Message, deps: Deps): Promise<void> {
  try {
    deps.log.error('message_unreadable', new Error('the message has no known form'), { queue, message_id: message.id });
    await query(deps.db, bury({ queue, messageId: message.id, message: '{}', failedAt: deps.now() }));
    message.ack();
  } catch (error) {
    deps.log.error('message_not_buried', error, { queue, message_id: message.id });
    retry(message, deps);
  }
}

const retry = (message: Message, deps: Deps): void =>
  message.retry({ delaySeconds: retryDelaySeconds(message.attempts, Number(deps.env.RETRY_BASE_SECONDS ?? RETRY_BASE_SECONDS)) });
