/**
 * What other releases leave behind in the tables: rows of an older and of a newer one, and configurations that this one cannot read.
 */
import { env } from 'cloudflare:workers';
import { readRows } from '../../support/tables';
import { SUPPLIERS } from './audit';
import type { People, Trouble } from './importer';
import { signed } from './observer';
import type { Random } from './random';
import type { Service } from './service';
import type { World } from './world';

/** A setting that only a newer release knows. */
export const NEWER_SETTING = 'a_setting_of_a_newer_release';

/** What a stricter release refuses in bodies that were accepted before it. */
export const REFUSED_TODAY = { account_type: 'OF_AN_OLDER_RELEASE' } as const;

const KINDS = {
  newer_settings: 2,
  missing_settings: 1,
  unreadable_settings: 1.5,
  older_hashes: 2,
  uncounted_documents: 1,
  documented_fields_only: 1,
} as const;

export class Releases {
  /** Suppliers that have a setting of a newer release. */
  readonly withNewerSettings = new Set<number>();
  /** Suppliers that could not be read at some time. */
  readonly wereUnreadable = new Set<number>();
  private readonly unreadable = new Map<number, { readonly stored: string; readonly trouble: Trouble }>();

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly service: Service,
    private readonly people: People,
  ) {}

  /** Something that another release wrote is there. */
  leave(): Promise<void> {
    return this.put(this.random.weighted(KINDS), this.random.pick(SUPPLIERS).id);
  }

  /** This is there of the supplier. */
  async put(kind: keyof typeof KINDS, id: number): Promise<void> {
    this.world.log(`another release leaves ${kind} of supplier ${id}`);
    switch (kind) {
      case 'newer_settings':
        await this.write(
          `UPDATE suppliers SET configuration = json_set(configuration, '$.${NEWER_SETTING}', json('{"of":1}')), version = version + 1
           WHERE id = ?1 AND json_valid(configuration)`,
          id,
        );
        if (!this.unreadable.has(id)) this.withNewerSettings.add(id);
        return;
      case 'missing_settings':
        await this.write(
          `UPDATE suppliers SET version = version + 1, configuration = json_object('default_country', 'GB',
             'payload_retention_days', configuration ->> 'payload_retention_days') WHERE id = ?1 AND json_valid(configuration)`,
          id,
        );
        if (!this.unreadable.has(id)) this.withNewerSettings.delete(id);
        return;
      case 'unreadable_settings':
        return this.unreadable.has(id) ? this.read(id) : this.becomeUnreadable(id);
      case 'older_hashes':
        return this.write(`UPDATE import_processes SET payload_hash = 'older-' || id WHERE supplier_id = ?1`, id);
      case 'uncounted_documents':
        return this.write('UPDATE import_processes SET documents = 0 WHERE supplier_id = ?1', id);
      case 'documented_fields_only':
        return this.write('UPDATE accounts SET has_all_fields = 0 WHERE supplier_id = ?1', id);
    }
  }

  /** Every supplier can be read again. */
  async readAll(): Promise<void> {
    for (const id of [...this.unreadable.keys()]) await this.read(id);
  }

  /** Of some accounts the payloads hold what today's rules refuse, or are no JSON at all. */
  async becomeStricter(): Promise<void> {
    this.service.mayBeUnreadable = true;
    const [[path, value]] = Object.entries(REFUSED_TODAY) as [[string, string]];
    const ofAccounts = 'reduced_at IS NULL AND id IN (SELECT id FROM import_processes WHERE status = 2)';
    await env.DB.batch([
      signed({ task: 0, role: 'release', epoch: 0 }, this.world.moment),
      env.DB.prepare(
        `UPDATE payloads SET body = json_set(body, iif(body ->> 'payload' IS NULL, '$.', '$.payload.') || '${path}', '${value}')
         WHERE ${ofAccounts} AND id % 3 <> ?1`,
      ).bind(this.random.below(3)),
      env.DB.prepare(`UPDATE payloads SET body = body || '}' WHERE ${ofAccounts} AND id % 5 = ?1`).bind(this.random.below(5)),
    ]);
  }

  private async becomeUnreadable(id: number): Promise<void> {
    const [row] = await readRows<{ configuration: string }>('SELECT configuration FROM suppliers WHERE id = ?1', id);
    if (!row) return;
    await this.write(
      `UPDATE suppliers SET configuration = ?2, version = version + 1 WHERE id = ?1`,
      id,
      this.random.pick(['{', '{}', '[]']),
    );
    const trouble = { what: id, from: this.world.moment, to: Number.POSITIVE_INFINITY };
    this.unreadable.set(id, { stored: row.configuration, trouble });
    this.people.troubles.push(trouble);
    this.wereUnreadable.add(id);
    this.service.mayBeUnreadable = true;
    // As good a reason to fail as any other.
    this.world.faults++;
    this.world.disturbances++;
  }

  private async read(id: number): Promise<void> {
    const known = this.unreadable.get(id);
    if (!known) return;
    await this.write('UPDATE suppliers SET configuration = ?2, version = version + 1 WHERE id = ?1', id, known.stored);
    known.trouble.to = this.world.moment;
    this.unreadable.delete(id);
  }

  private async write(sql: string, ...values: readonly (string | number)[]): Promise<void> {
    await env.DB.batch([signed({ task: 0, role: 'release', epoch: 0 }, this.world.moment), env.DB.prepare(sql).bind(...values)]);
  }
}
