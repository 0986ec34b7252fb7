/**
 * A restore of the database to an earlier moment, as docs/operating.md says it is done: new accounts are held up, requests
 * under way come to their end, the tables go back, and the restore is brought to its end.
 */
import { env } from 'cloudflare:workers';
import { readRows } from '../../support/tables';
import { TABLES } from './audit';
import type { People, Trouble } from './importer';
import { signed } from './observer';
import type { Random } from './random';
import type { Service } from './service';
import { finishCalls, type World } from './world';

const SNAPSHOT = TABLES.map((table) => `CREATE TABLE IF NOT EXISTS simulated_of_${table} AS SELECT * FROM ${table} WHERE 0`);

/** What a restore took back. Moments of the world. */
export interface Undone {
  readonly from: number;
  readonly to: number;
  /** The number of the last task that knew the time before. */
  readonly lastTask: number;
  /** Account numbers that were given by then, and whose they are. */
  readonly numbers: ReadonlyMap<string, string>;
}

type Step = 'nothing' | 'noted' | 'held_up' | 'restored' | 'finished';

export class Restore {
  undone: Undone | undefined;
  private step: Step = 'nothing';
  private noted = { moment: 0, at: 0 };
  private lastId: number | undefined;
  private trouble: Trouble | undefined;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly service: Service,
    private readonly people: People,
  ) {}

  get isUnfinished(): boolean {
    return this.step === 'held_up' || this.step === 'restored';
  }

  /** The next step of it. */
  async next(): Promise<void> {
    switch (this.step) {
      case 'nothing':
        return this.note();
      case 'noted':
        return this.holdUp();
      case 'held_up':
        return this.goBack();
      case 'restored':
        return this.finish();
      case 'finished':
        return;
    }
  }

  private async note(): Promise<void> {
    await env.DB.batch([
      ...SNAPSHOT.map((sql) => env.DB.prepare(sql)),
      ...TABLES.flatMap((table) => [
        env.DB.prepare(`DELETE FROM simulated_of_${table}`),
        env.DB.prepare(`INSERT INTO simulated_of_${table} SELECT * FROM ${table}`),
      ]),
    ]);
    this.noted = { moment: this.world.moment, at: this.world.now };
    this.world.log('the moment that will be restored');
    this.step = 'noted';
  }

  private async holdUp(): Promise<void> {
    this.service.epoch = 1;
    this.trouble = { what: 'held_up', from: this.world.moment, to: Number.POSITIVE_INFINITY };
    this.people.troubles.push(this.trouble);
    this.world.log('new accounts are held up');
    this.step = 'held_up';
  }

  private async goBack(): Promise<void> {
    const { world, service } = this;
    await finishCalls(world);
    world.late.length = 0;
    const numbers = await this.numbersNow();
    const results = await readRows<{ last_id: number | null }>('SELECT max(id) AS last_id FROM payloads');
    this.lastId = this.random.chance(0.7) ? (results[0]?.last_id ?? 0) : undefined;
    world.log('the database is restored');
    await env.DB.batch([
      signed({ task: 0, role: 'restore', epoch: 0 }, world.moment),
      ...TABLES.flatMap((table) => [
        env.DB.prepare(`DELETE FROM ${table}`),
        env.DB.prepare(`INSERT INTO ${table} SELECT * FROM simulated_of_${table}`),
      ]),
    ]);
    service.forget();
    await this.people.forget();
    this.undone = { from: this.noted.moment, to: world.moment, lastTask: Math.max(0, ...service.tasks.keys()), numbers };
    world.disturbances++;
    world.faults++;
    this.step = 'restored';
  }

  private finish(): Promise<void> {
    return this.people.finishRestore(this.noted.at, this.lastId, (isFinished) => {
      if (!isFinished) return;
      if (this.trouble) this.trouble.to = this.world.moment;
      this.step = 'finished';
    });
  }

  private async numbersNow(): Promise<ReadonlyMap<string, string>> {
    const results = await readRows<{ account_number: string; pair: string }>(
      `SELECT account_number, supplier_id || '/' || external_account_number AS pair FROM import_processes WHERE account_number IS NOT NULL`,
    );
    return new Map(results.map(({ account_number, pair }) => [account_number, pair]));
  }
}
