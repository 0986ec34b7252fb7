import { describe, expect, it } from 'vitest';
import { consumerOf } from '../../../src/consumers';
import { readRoot } from '../../support/source';

/** Names of `queue = "…"` under `[[….queues.consumers]]`, of the top level and of every environment. */
const consumed = readRoot('wrangler.toml')
  .split(/^(?=\[)/m)
  .filter((table) => /^\[\[(?:env\.\w+\.)?queues\.consumers\]\]/.test(table))
  .map((table) => /^queue = "([^"]+)"/m.exec(table)?.[1] ?? '');

describe('the queues of wrangler.toml', () => {
  it('are each consumed, in every environment', () => {
    expect(consumed).toHaveLength(12);
    expect(consumed.filter((queue) => consumerOf(queue) === undefined)).toEqual([]);
  });

  it('distinguish imports, deliveries and the dead letters of each, and no others', () => {
    const kinds = new Map(consumed.map((queue) => [queue, consumerOf(queue)]));
    expect(new Set([...kinds].filter(([queue]) => queue.includes('dead-letters')).map(([, consumer]) => consumer)).size).toBe(2);
    expect(new Set(kinds.values()).size).toBe(4);
    expect(consumerOf('account-imports-elsewhere')).toBeUndefined();
  });
});
