/**
 * Which queue is consumed by what. An unknown queue throws: its messages stay in the queue instead of vanishing.
 */
import type { Deps } from './deps';

export async function consume(batch: MessageBatch, _deps: Deps): Promise<void> {
  switch (batch.queue) {
    default:
      throw new Error(`no consumer for queue ${batch.queue}`);
  }
}
