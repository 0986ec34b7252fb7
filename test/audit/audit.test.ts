/** §10: the audit trail by who, what, whose migration and when. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '../../src/organisations';
import { databaseAround, lostConnection } from '../support/around';
import { aDeps } from '../support/deps';
import { aSupplier, call } from '../support/given';
import { fieldsOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly supplier?: string;
  readonly occurred_at: string;
}
const entriesOf = async (query: string) => (await operate('GET', `audit/?${query}`)).body as Entry[];

/** A supplier that was paused and resumed by the operator. */
async function aChangedSupplier() {
  const { code } = await aSupplier();
  await operate('PATCH', `suppliers/${code}/`, { status: 'Paused', reason: 'vendor down' });
  await operate('PATCH', `suppliers/${code}/`, { status: 'Ongoing' });
  return code;
}

/** An entry of another moment, written as an earlier release did. */
const anEntryAt = (instant: number, actor: string) =>
  env.DB.prepare('INSERT INTO audit_entries (id, occurred_at, actor, action, subject) VALUES (?1, ?2, ?3, ?4, ?5)')
    .bind(instant * 4_096 + Math.floor(Math.random() * 4_096), instant, actor, 'organisation.created', 'organisation x')
    .run();

describe('GET audit/', () => {
  it('names the supplier whose migration it was, and finds by it', async () => {
    const [one, other] = [await aChangedSupplier(), await aChangedSupplier()];
    const entries = await entriesOf(`supplier=${one}`);
    expect(entries.map(({ action, supplier }) => [action, supplier])).toEqual([
      ['supplier.changed', one],
      ['supplier.changed', one],
    ]);
    expect(JSON.stringify(entries)).not.toContain(other);
  });

  it('finds by who and by what, and by all together', async () => {
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`;
    const { token } = fieldsOf(await operate('POST', 'operator-tokens/', { name, role: 'operate' }));
    const { code } = await aSupplier();
    await call('PATCH', `/operator/v1/suppliers/${code}/`, {
      headers: { Authorization: `Bearer ${token}` },
      body: { status: 'Paused' },
    });
    await operate('PATCH', `suppliers/${code}/`, { status: 'Ongoing' });
    const actor = encodeURIComponent(`token ${name}`);
    expect(await entriesOf(`actor=${actor}`)).toMatchObject([{ actor: `token ${name}`, action: 'supplier.changed', supplier: code }]);
    expect(await entriesOf(`actor=${actor}&action=supplier.changed&supplier=${code}`)).toHaveLength(1);
    expect(await entriesOf(`actor=${actor}&action=supplier.created`)).toEqual([]);
    const created = await entriesOf('action=operator_token.created&limit=500');
    expect(new Set(created.map(({ action }) => action))).toEqual(new Set(['operator_token.created']));
  });

  it('finds by days and moments, both ends included', async () => {
    const actor = `a-${crypto.randomUUID()}`;
    const days = ['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z'];
    for (const day of days) await anEntryAt(Date.parse(day), actor);
    const found = async (query: string) => (await entriesOf(`actor=${actor}&${query}`)).map(({ occurred_at: at }) => at).reverse();
    expect(await found('')).toEqual(days);
    expect(await found('from=2026-03-01&to=2026-03-01')).toEqual(days.slice(0, 2));
    expect(await found('from=2026-03-02')).toEqual(days.slice(2));
    expect(await found('from=2026-03-01T23:59:59.999Z&to=2026-03-02T00:00:00Z')).toEqual(days.slice(1));
    expect(await found('to=2026-02-28')).toEqual([]);
  });

  it('goes on page by page within what is asked for', async () => {
    const actor = `a-${crypto.randomUUID()}`;
    for (let day = 1; day <= 5; day++) await anEntryAt(Date.parse(`2026-04-0${day}`), actor);
    const first = await operate('GET', `audit/?actor=${actor}&limit=3`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? expect.fail();
    const { pathname, search } = new URL(next, 'https://import.test');
    expect(search).toContain(actor);
    const second = await operate('GET', `${pathname.replace('/operator/v1/', '')}${search}`);
    expect([(first.body as Entry[]).length, (second.body as Entry[]).length]).toEqual([3, 2]);
  });

  it.each(['from=tomorrow', 'to=2026-02-30'])('400: %s', async (query) => {
    const attr = query.split('=')[0];
    expect(await operate('GET', `audit/?${query}`)).toMatchObject({ status: 400, body: { errors: [{ attr, code: 'invalid_datetime' }] } });
  });
});

describe('an entry', () => {
  const entryOf = (key: string) => readRow<{ actor: string }>('SELECT actor FROM audit_entries WHERE subject = ?', `api key ${key}`);
  const isInForce = async (key: string) => (await readRow('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at IS NULL', key)) !== null;
  const aKey = async () => (await aSupplier()).apiKeyId;

  it('under the id that another of the same millisecond has keeps its change from being made', async () => {
    const [first, second] = [await aKey(), await aKey()];
    const now = Date.now();
    const deps = { ...aDeps(), now: () => now, mint: () => 7 };
    await revokeApiKey(deps, 'Ada', first);
    await expect(revokeApiKey(deps, 'Grace', second)).rejects.toThrow(/NOT NULL constraint failed: audit_entries.occurred_at/);
    expect([await isInForce(first), await isInForce(second), await entryOf(second)]).toEqual([false, true, null]);
    // Nor where there is nothing to change any more.
    await expect(revokeApiKey(deps, 'Grace', first)).rejects.toThrow(/NOT NULL constraint failed: audit_entries.occurred_at/);
    expect(await entryOf(first)).toEqual({ actor: 'Ada' });
  });

  it('that is repeated after a lost answer is written once, and its change made', async () => {
    const key = await aKey();
    const deps = aDeps();
    let trips = 0;
    const db = databaseAround(deps.db, async (_, run) => {
      const answer = await run();
      if (++trips === 2) throw lostConnection();
      return answer;
    });
    await revokeApiKey({ ...deps, db }, 'Ada', key);
    expect([trips, await isInForce(key), await entryOf(key)]).toEqual([3, false, { actor: 'Ada' }]);
  });
});
