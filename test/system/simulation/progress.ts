/**
 * Does the sweep go on? What could start before a run began, and still can when it has ended, was sent by it or by the run before:
 * one that begins in the middle of what waits leaves the rest to the next.
 */
import { STALE_MILLISECONDS } from '../../../src/import-processes/send/store';
import { readRows } from '../../support/tables';
import type { Task, World } from './world';

/** A run as it begins. `from` in Unix milliseconds. */
export interface Begun {
  readonly from: number;
  readonly isAlone: boolean;
  readonly disturbances: number;
}

interface Left extends Begun {
  readonly ids: ReadonlySet<number>;
}

// ?1 is before the run by every clock, ?2 after it.
const LEFT = `SELECT p.id FROM suppliers s CROSS JOIN import_processes p ON p.supplier_id = s.id
  WHERE p.status = 0 AND s.status = 'Ongoing' AND p.modified_at <= ?1 AND s.modified_at <= ?1 AND coalesce(p.window_start, 0) <= ?1
    AND coalesce(p.window_end, ?2 + 1) > ?2 AND (p.sent_at <= ?1 - ${STALE_MILLISECONDS} OR p.sent_at < s.resumed_at)`;

export class Progress {
  readonly broken: string[] = [];
  /** Runs of which it was asked. */
  asked = 0;
  private last: Left | undefined;

  constructor(
    private readonly world: World,
    private readonly skew: number,
  ) {}

  begin(): Begun {
    return { from: this.world.now, isAlone: this.world.parked.length === 0, disturbances: this.world.disturbances };
  }

  /** Looks at what a run has left that met no failure. */
  async end(begun: Begun, task: Task): Promise<void> {
    const { world, skew, last } = this;
    const isAlone = begun.isAlone && world.parked.every((parked) => parked.task === task);
    this.last = undefined;
    if (!isAlone || begun.disturbances !== world.disturbances) return;
    const results = await readRows<{ id: number }>(LEFT, begun.from - skew, world.now + skew);
    const ids = new Set(results.map(({ id }) => id));
    this.last = { ...begun, ids };
    if (last?.disturbances !== world.disturbances) return;
    this.asked++;
    const forgotten = [...ids].filter((id) => last.ids.has(id));
    if (forgotten.length > 0) this.broken.push(`two sweeps ran by ${begun.from} and neither sent what could start: ${forgotten.join()}`);
  }
}
