/**
 * Somebody who follows the events while the history goes on, a few at a time.
 */

import { readRows } from '../../support/tables';
import type { Stored } from './audit';

const PAGE = 3;

export class Follower {
  private readonly seen: number[] = [];

  /** One page from where the last one ended. */
  async read(): Promise<number> {
    const results = await readRows<{ id: number }>('SELECT id FROM events WHERE id > ?1 ORDER BY id LIMIT ?2', this.seen.at(-1) ?? 1, PAGE);
    this.seen.push(...results.map(({ id }) => id));
    return results.length;
  }

  /** What was read is what is there, in its order: nothing came before a place that was passed. */
  async check({ feed }: Stored): Promise<string[]> {
    while ((await this.read()) > 0);
    const ids = feed.map(({ id }) => id);
    return JSON.stringify(ids) === JSON.stringify(this.seen) ? [] : [`a follower read ${this.seen.join()}, and there are ${ids.join()}`];
  }
}
