/**
 * A queue that does what queues may do: deliver twice, in any order, late, or not at all. Tries run out into the dead letters.
 */
import type { ImportMessage } from '../../../src/queues/messages';
import type { Random } from './random';
import type { World } from './world';

export type QueueName = 'account-imports' | 'account-imports-dead-letters';

interface Stored {
  readonly id: string;
  readonly queue: QueueName;
  readonly body: ImportMessage;
  readonly attempts: number;
  readonly availableAt: number;
}

/** A message whose tries ran out at `at`, in Unix milliseconds. */
export interface DeadLetter {
  readonly id: string;
  readonly body: ImportMessage;
  readonly at: number;
}

export interface Unreliability {
  readonly drop: number;
  readonly duplicate: number;
  readonly delay: number;
  /** Deliveries after the first, before a message is a dead letter. */
  readonly maxRetries: number;
}

const MAX_BATCH = 3;

export class Broker {
  readonly stored: Stored[] = [];
  /** Messages whose tries ran out. */
  readonly deadLetters: DeadLetter[] = [];
  /** Messages that vanished. */
  dropped = 0;
  private lastId = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private unreliability: Unreliability,
  ) {}

  readonly queue: Queue<ImportMessage> = {
    send: async (body) => {
      this.accept(body);
      return this.sent;
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) this.accept(body);
      return this.sent;
    },
    metrics: async () => this.sent.metadata.metrics,
  };

  /** From now on every message arrives, once and at once. */
  becomeReliable(): void {
    this.unreliability = { ...this.unreliability, drop: 0, duplicate: 0, delay: 0 };
  }

  hasAvailable(): boolean {
    return this.stored.some((message) => message.availableAt <= this.world.now);
  }

  /** Takes a few messages of one queue that may be delivered now. `settle` says what became of each; twice settled counts once. */
  take(): { readonly batch: MessageBatch<ImportMessage>; readonly finish: (isCrash: boolean) => void } | undefined {
    const available = this.stored.filter((message) => message.availableAt <= this.world.now);
    if (available.length === 0) return undefined;
    const { queue } = this.random.pick(available);
    const taken: Stored[] = [];
    const candidates = available.filter((message) => message.queue === queue);
    const size = 1 + this.random.below(Math.min(MAX_BATCH, candidates.length));
    while (taken.length < size) {
      const message = this.random.pick(candidates);
      candidates.splice(candidates.indexOf(message), 1);
      this.stored.splice(this.stored.indexOf(message), 1);
      taken.push(message);
      if (this.random.chance(this.unreliability.duplicate)) {
        this.stored.push({ ...message, availableAt: this.world.now + this.random.below(150_000) });
      }
    }
    return this.batchOf(queue, taken);
  }

  private batchOf(queue: QueueName, taken: readonly Stored[]) {
    const fates = new Map<Stored, { readonly retryAfter: number } | 'acked'>();
    const messages = taken.map((message) => ({
      id: message.id,
      timestamp: new Date(this.world.now),
      body: message.body,
      attempts: message.attempts,
      ack: () => void (fates.has(message) || fates.set(message, 'acked')),
      retry: (options?: QueueRetryOptions) =>
        void (fates.has(message) || fates.set(message, { retryAfter: (options?.delaySeconds ?? 0) * 1_000 })),
    }));
    const all = (method: 'ack' | 'retry'): void => {
      for (const message of messages) message[method]();
    };
    const batch: MessageBatch<ImportMessage> = {
      queue,
      messages,
      metadata: this.sent.metadata,
      ackAll: () => all('ack'),
      retryAll: () => all('retry'),
    };
    let isFinished = false;
    const finish = (isCrash: boolean): void => {
      if (isFinished) return;
      isFinished = true;
      for (const message of taken) {
        const fate = isCrash ? undefined : fates.get(message);
        if (fate !== 'acked') this.retry(message, fate?.retryAfter ?? 0);
      }
    };
    return { batch, finish };
  }

  private retry(message: Stored, delay: number): void {
    const isExhausted = message.queue === 'account-imports' && message.attempts > this.unreliability.maxRetries;
    if (isExhausted) this.deadLetters.push({ id: message.id, body: message.body, at: this.world.now });
    this.stored.push({
      ...message,
      queue: isExhausted ? 'account-imports-dead-letters' : message.queue,
      attempts: isExhausted ? 1 : message.attempts + 1,
      availableAt: this.world.now + delay,
    });
  }

  private accept(body: ImportMessage): void {
    if (this.random.chance(this.unreliability.drop)) {
      this.dropped++;
      this.world.log('a message vanishes');
      return;
    }
    const delay = this.random.chance(this.unreliability.delay) ? this.random.below(300_000) : 0;
    // As it goes over the wire: later changes to the sender's object change nothing.
    const sent = structuredClone(body);
    this.stored.push({
      id: `m${++this.lastId}`,
      queue: 'account-imports',
      body: sent,
      attempts: 1,
      availableAt: this.world.now + delay,
    });
  }

  private get sent() {
    return { metadata: { metrics: { backlogCount: this.stored.length, backlogBytes: 0 } } };
  }
}
