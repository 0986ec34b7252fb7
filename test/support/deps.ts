/**
 * Deps for tests that drive verbs directly: real D1 and R2, a clock that can be set, and a queue that only remembers.
 */
import { env } from 'cloudflare:workers';
import { type Bindings, type Deps, depsFrom } from '../../src/deps';
import type { DeliveryMessage, ImportMessage } from '../../src/queues/messages';

export interface GivenDeps extends Deps {
  /** Messages sent so far. */
  readonly sent: ImportMessage[];
  /** Messages about webhooks sent so far, with their delay in seconds. */
  readonly woken: { readonly body: DeliveryMessage; readonly delaySeconds: number }[];
  /** Lines logged so far. */
  readonly logged: { readonly event: string; readonly fields: Record<string, unknown> | undefined }[];
  /** Waits for what was to go on after the reply. */
  backgroundDone(): Promise<void>;
  /** Moves the clock. */
  advance(milliseconds: number): void;
}

export function aDeps(overrides: Partial<Bindings> = {}): GivenDeps {
  const sent: ImportMessage[] = [];
  const woken: { body: DeliveryMessage; delaySeconds: number }[] = [];
  const logged: { event: string; fields: Record<string, unknown> | undefined }[] = [];
  const work: Promise<unknown>[] = [];
  let offset = 0;
  const bindings: Bindings = { ...env, ...overrides };
  const deps = depsFrom(bindings, { waitUntil: (promise) => void work.push(promise) });
  const queue: Pick<Queue<ImportMessage>, 'send' | 'sendBatch' | 'metrics'> = {
    send: async (body) => {
      sent.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) sent.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    metrics: () => Promise.resolve({ backlogCount: 0, backlogBytes: 0 }),
  };
  const deliveries: Pick<Queue<DeliveryMessage>, 'send' | 'sendBatch' | 'metrics'> = {
    ...queue,
    send: async (body, options) => {
      woken.push({ body, delaySeconds: options?.delaySeconds ?? 0 });
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) woken.push({ body, delaySeconds: 0 });
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
  };
  return {
    ...deps,
    accountImports: overrides.ACCOUNT_IMPORTS ?? queue,
    webhookDeliveries: overrides.WEBHOOK_DELIVERIES ?? deliveries,
    now: () => Date.now() + offset,
    log: {
      info: (event, fields) => void logged.push({ event, fields }),
      error: (event, _cause, fields) => void logged.push({ event, fields }),
    },
    sent,
    woken,
    logged,
    backgroundDone: async () => void (await Promise.all(work.splice(0))),
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}
