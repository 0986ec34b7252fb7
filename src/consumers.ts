/**
 * Which queue is consumed by what. An unknown queue throws: its messages stay in the queue instead of vanishing.
 */
import type { Deps } from './deps';

/** Staging and production have queues of their own, named after them (`wrangler.toml`). */
const ENVIRONMENT = /-(?:staging|production)$/;

export async function consume(batch: MessageBatch, _deps: Deps): Promise<void> {
  switch (batch.queue.replace(ENVIRONMENT, '')) {
    default:
      throw new Error(`no consumer for queue ${batch.queue}`);
  }
}
