/**
 * Deps for tests that drive verbs directly: real D1 and R2, a clock that can be set, and a queue that only remembers.
 */
import { env } from 'cloudflare:workers';
import { type Bindings, type Deps, depsFrom } from '../../src/deps';
import type { ImportMessage } from '../../src/queues/messages';

export interface GivenDeps extends Deps {
  /** Messages sent so far. */
  readonly sent: ImportMessage[];
  /** Lines logged so far. */
  readonly logged: { readonly event: string; readonly fields: Record<string, unknown> | undefined }[];
  /** Waits for what was to go on after the reply. */
  settled(): Promise<void>;
  /** Moves the clock. */
  advance(milliseconds: number): void;
}

export function aDeps(overrides: Partial<Bindings> = {}): GivenDeps {
  const sent: ImportMessage[] = [];
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
  return {
    ...deps,
    accountImports: overrides.ACCOUNT_IMPORTS ?? queue,
    now: () => Date.now() + offset,
    log: {
      info: (event, fields) => void logged.push({ event, fields }),
      error: (event, _cause, fields) => void logged.push({ event, fields }),
    },
    sent,
    logged,
    settled: async () => void (await Promise.all(work.splice(0))),
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}
