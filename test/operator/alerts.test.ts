/** §10: what an operator is to know is found every minute, shown with since when, and sent, signed, until it was taken. */
import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { everyMinute } from '../../src/scheduled';
import { bulkResults } from '../support/bulk';
import { aDeps } from '../support/deps';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { stage } from '../support/importing';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows, readValue } from '../support/tables';

const MINUTE = 60_000;

interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly supplier?: string;
  readonly is_firing: boolean;
  readonly since: string;
  readonly ended_at?: string;
  readonly summary: string;
  readonly details: Record<string, unknown>;
}

const alertsOf = async (query = '') => (await operate('GET', `alerts/?limit=500${query}`)).body as Alert[];

/** The clock of the tests and what other tests of this file left: each begins with nothing that could fire. */
beforeEach(async () => {
  await env.DB.batch(
    ['alerts', 'alert_addresses', 'alert_deliveries', 'imports_per_minute', 'dead_letters'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
  await env.DB.prepare("UPDATE suppliers SET status = 'Paused'").run();
  await everyMinute(aDeps());
});

const firing = async (): Promise<(readonly [string, string | undefined])[]> =>
  (await readRows<{ rule: string; supplier: string }>('SELECT rule, supplier FROM alerts WHERE ended_at IS NULL ORDER BY rule')).map(
    ({ rule, supplier }) => [rule, supplier],
  );

const ended = (supplierId: number, processed: number, errored: number, at = Date.now()) =>
  env.DB.prepare('INSERT INTO imports_per_minute (supplier_id, minute, processed, errored) VALUES (?, ?, ?, ?)')
    .bind(supplierId, Math.floor(at / MINUTE), processed, errored)
    .run();

const aDeadLetter = (id: string = crypto.randomUUID()) =>
  env.DB.prepare("INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?, 'q', '{}', ?)").bind(id, Date.now()).run();

/** An address at the double, by how it answers. */
async function anAddress(behaviour = 'taken') {
  const url = `${env.STRIPE_API_BASE}/double/alerts/${behaviour}~${crypto.randomUUID()}`;
  const answer = await operate('POST', 'alert-addresses/', { url });
  const { id = '', secret = '' } = fieldsOf(answer);
  const received = async () =>
    (await (await fetch(url)).json<{ body: string; headers: Record<string, string> }[]>()).map(({ body, headers }) => ({
      body,
      headers,
      alert: JSON.parse(body) as { type: string; timestamp: string; data: Alert },
    }));
  return { answer, id, secret, url, received };
}

/** Verifies as a receiver does, by the text of the convention. */
function isSigned({ body, headers }: { body: string; headers: Record<string, string> }, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

describe('the work of the minute', () => {
  it('finds nothing where all is well', async () => {
    expect(await firing()).toEqual([]);
  });

  it('fires where accounts may start and none ends for ten minutes, not for those whose window is to come, and ends when one has', async () => {
    const [given, later] = [await aSupplier(), await aSupplier()];
    const deps = aDeps();
    await stage(given, [aSmallAccount(given.code, 'a')]);
    const window = { task_params: { schedule_window_start: new Date(Date.now() + 86_400_000).toISOString() } };
    await stage(later, [{ ...aSmallAccount(later.code, 'b'), ...window }]);
    deps.advance(9 * MINUTE);
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
    deps.advance(2 * MINUTE);
    await everyMinute(deps);
    expect(await firing()).toEqual([['nothing_moves', '']]);
    const details = await readValue<string>('details', 'SELECT details FROM alerts');
    expect(JSON.parse(details ?? '')).toEqual({ suppliers: 1, longest: given.code, minutes: 11 });
    // Its dry runs and errors move as well: the minute has a row.
    await ended(given.supplierId, 0, 0, deps.now());
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
  });

  it('does not fire for a supplier that is paused, or was resumed lately', async () => {
    const [paused, resumed] = [await aSupplier(), await aSupplier()];
    const deps = aDeps();
    await stage(paused, [aSmallAccount(paused.code, 'a')]);
    await stage(resumed, [aSmallAccount(resumed.code, 'a')]);
    deps.advance(30 * MINUTE);
    await env.DB.prepare("UPDATE suppliers SET status = 'Paused' WHERE id = ?").bind(paused.supplierId).run();
    await env.DB.prepare('UPDATE suppliers SET resumed_at = ?2 WHERE id = ?1')
      .bind(resumed.supplierId, deps.now() - 5 * MINUTE)
      .run();
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
  });

  it('fires for each supplier with a share of errors, and ends when they are ten minutes ago', async () => {
    const [bad, good] = [await aSupplier(), await aSupplier()];
    const deps = aDeps();
    await ended(bad.supplierId, 60, 20);
    await ended(good.supplierId, 600, 20);
    await everyMinute(deps);
    expect(await firing()).toEqual([['many_errors', bad.code]]);
    deps.advance(12 * MINUTE);
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
  });

  it('fires for a supplier of whose accounts a share was refused, with its number, not where many more were taken', async () => {
    const [bad, good] = [await aSupplier(), await aSupplier()];
    const deps = aDeps();
    const send = (given: GivenSupplier, refused: number, taken: number) => {
      const lines = Array.from({ length: refused + taken }, (_, n) => aSmallAccount(given.code, `R-${n}`));
      const wrong = { billing_email: 'nobody' };
      return bulkResults(
        given,
        lines.map((line, n) => JSON.stringify({ ...line, ...(n < refused ? wrong : {}) })),
        'create',
      );
    };
    await send(bad, 20, 80);
    await send(good, 20, 81);
    await everyMinute(deps);
    expect(await firing()).toEqual([['many_refusals', bad.code]]);
    const [alert] = await alertsOf('&firing=true');
    expect(alert).toMatchObject({
      summary: `20 of the 100 accounts sent for ${bad.code} lately were refused (20 %).`,
      details: { refused: 20, sent: 100, percent: 20 },
    });
    deps.advance(12 * MINUTE);
    await env.DB.prepare("UPDATE suppliers SET status = 'Paused'").run();
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
  });

  it('fires for a webhook that is disabled by its failures until it is enabled, not for one that its importer disabled', async () => {
    const { organisationId, token } = await aSupplier();
    const own = async (url: string) => fieldsOf(await call('POST', '/v2/data-import/webhooks/', { token, body: { url } }))['id'] ?? '';
    const [failing, other] = [await own('https://hooks.example.com/a'), await own('https://hooks.example.com/b')];
    const fail = (id: string, reason: string) =>
      env.DB.prepare("UPDATE webhooks SET is_enabled = 0, disabled_reason = ?2, failed_at = ?3, failure = 'status_410' WHERE id = ?1")
        .bind(id, reason, Date.now())
        .run();
    await fail(other, 'importer');
    await everyMinute(aDeps());
    expect(await firing()).toEqual([]);
    await fail(failing, 'gone');
    await everyMinute(aDeps());
    expect(await firing()).toEqual([['webhook_disabled', '']]);
    const [alert] = await alertsOf('&firing=true');
    expect(alert?.details).toEqual({ webhooks: 1, organisation: organisationId });
    expect((await call('PATCH', `/v2/data-import/webhooks/${failing}/`, { token, body: { is_enabled: true } })).status).toBe(200);
    await everyMinute(aDeps());
    expect(await firing()).toEqual([]);
  });

  it('fires for dead letters until they are dealt with', async () => {
    const id = crypto.randomUUID();
    await aDeadLetter(id);
    await everyMinute(aDeps());
    expect(await firing()).toEqual([['dead_letters', '']]);
    expect((await operate('POST', `dead-letters/${id}/dismiss/`)).status).toBe(200);
    await everyMinute(aDeps());
    expect(await firing()).toEqual([]);
  });

  it('fires for a database beyond 80 % of its size', async () => {
    const bytes = (await env.DB.prepare('SELECT 1').all()).meta.size_after;
    await everyMinute(aDeps({ DATABASE_LIMIT_BYTES: String(Math.floor(bytes / 0.85)) }));
    expect(await firing()).toEqual([['database_filling', '']]);
    await everyMinute(aDeps({ DATABASE_LIMIT_BYTES: String(bytes * 2) }));
    expect(await firing()).toEqual([]);
  });

  it('fires for a sweep that comes to no end, though that very sweep fails', async () => {
    const deps = aDeps();
    deps.advance(6 * MINUTE);
    await env.DB.prepare("CREATE TRIGGER no_beat BEFORE UPDATE ON heartbeats BEGIN SELECT RAISE(ABORT, 'no'); END").run();
    try {
      await everyMinute(deps);
      expect(await firing()).toEqual([['sweep_late', '']]);
    } finally {
      await env.DB.prepare('DROP TRIGGER no_beat').run();
    }
    await everyMinute(deps);
    expect(await firing()).toEqual([]);
  });

  it('makes one alert of what goes on, whoever looks how often, and another of what comes back', async () => {
    await aDeadLetter();
    await Promise.all([everyMinute(aDeps()), everyMinute(aDeps()), alertsOf()]);
    const [first, ...others] = await alertsOf();
    expect([first?.rule, others]).toEqual(['dead_letters', []]);
    await aDeadLetter();
    const deps = aDeps();
    deps.advance(MINUTE);
    await everyMinute(deps);
    expect(await alertsOf()).toMatchObject([{ id: first?.id, since: first?.since, details: { dead_letters: 2 } }]);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    await everyMinute(deps);
    await aDeadLetter();
    deps.advance(MINUTE);
    await everyMinute(deps);
    const all = await alertsOf();
    expect(all.map(({ is_firing: is }) => is)).toEqual([true, false]);
    expect(all[0]?.id).not.toBe(first?.id);
  });

  it('forgets an alert 90 days after it ended', async () => {
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    await everyMinute(deps);
    await aDeadLetter();
    deps.advance(91 * 24 * 60 * MINUTE);
    await everyMinute(deps);
    expect(await readValue('n', 'SELECT count(*) AS n FROM alerts WHERE ended_at IS NOT NULL')).toBe(0);
  });
});

describe('GET alerts/', () => {
  it('200: shows what fires and since when, in words and numbers, and what ended', async () => {
    const { code, supplierId } = await aSupplier();
    await ended(supplierId, 0, 30);
    const before = Date.now();
    const [alert] = await alertsOf();
    expect(alert).toMatchObject({
      id: expect.stringMatching(/^alr_[0-9a-f]{32}$/),
      rule: 'many_errors',
      supplier: code,
      is_firing: true,
      summary: `30 of the 30 accounts of ${code} that ended lately are ERRORED (100 %).`,
      details: { errored: 30, ended: 30, percent: 100 },
    });
    expect(Date.parse(alert?.since ?? '')).toBeGreaterThanOrEqual(before);
    await env.DB.prepare('DELETE FROM imports_per_minute').run();
    expect(await alertsOf('&firing=true')).toEqual([]);
    expect(await alertsOf()).toMatchObject([{ id: alert?.id, is_firing: false, ended_at: expect.any(String) }]);
  });

  it('comes in pages', async () => {
    for (let n = 0; n < 3; n++) await ended((await aSupplier()).supplierId, 0, 30);
    const first = await operate('GET', 'alerts/?limit=2&firing=true');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? expect.fail();
    const { search } = new URL(next, 'https://import.test');
    const second = await operate('GET', `alerts/${search}`);
    expect([(first.body as Alert[]).length, (second.body as Alert[]).length]).toEqual([2, 1]);
  });

  it('shows a sweep that is late though no work of the minute runs at all', async () => {
    await env.DB.prepare("UPDATE heartbeats SET at = at - ?1 WHERE name = 'sweep'")
      .bind(10 * MINUTE)
      .run();
    expect(await alertsOf('&firing=true')).toMatchObject([{ rule: 'sweep_late' }]);
  });

  it('400: a cursor that leads nowhere, and nothing is looked at or written', async () => {
    await aDeadLetter(crypto.randomUUID());
    for (const cursor of ['', 'none', '__proto__'])
      expect(await operate('GET', `alerts/?cursor=${cursor}`)).toMatchObject({ status: 400, body: { errors: [{ attr: 'cursor' }] } });
    expect(await firing()).toEqual([]);
    expect(await alertsOf('&firing=true')).toMatchObject([{ rule: 'dead_letters' }]);
  });

  it('400: firing=maybe', async () => {
    expect(await operate('GET', 'alerts/?firing=maybe')).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'firing', code: 'invalid' }] },
    });
  });
});

describe('delivery', () => {
  it('posts an alert when it begins and when it ends, signed with the secret of the address', async () => {
    const { received, secret, answer, id } = await anAddress();
    expect(answer).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^ala_/), secret: expect.stringMatching(/^whsec_/) } });
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    deps.advance(MINUTE);
    await everyMinute(deps);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    await everyMinute(deps);
    await everyMinute(deps);
    const all = await received();
    expect(all.map(({ alert }) => [alert.type, alert.data.rule, alert.data.is_firing])).toEqual([
      ['alert.firing', 'dead_letters', true],
      ['alert.ended', 'dead_letters', false],
    ]);
    expect(all.every((one) => isSigned(one, secret))).toBe(true);
    expect(all.some((one) => isSigned({ ...one, body: `${one.body} ` }, secret))).toBe(false);
    const list = await operate('GET', 'alert-addresses/');
    expect(list.body).toMatchObject([{ id, delivered_at: expect.any(String) }]);
    expect(JSON.stringify(list.body)).not.toContain(secret);
  });

  it('sends again what was not taken, under the same id, after a minute and not before', async () => {
    const { received, id } = await anAddress('flaky');
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    expect((await operate('GET', 'alert-addresses/')).body).toMatchObject([{ id, failure: 'status_503', failed_at: expect.any(String) }]);
    await everyMinute(deps);
    expect(await received()).toHaveLength(1);
    deps.advance(MINUTE);
    await everyMinute(deps);
    const all = await received();
    expect(all).toHaveLength(2);
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(JSON.stringify((await operate('GET', 'alert-addresses/')).body)).not.toContain('failure');
  });

  it('sends an address that took nothing only the end, once the alert has ended', async () => {
    const { received, url } = await anAddress('status-503');
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    await everyMinute(deps);
    await env.DB.prepare('UPDATE alert_addresses SET url = ?').bind(url.replace('status-503', 'taken')).run();
    deps.advance(MINUTE);
    await everyMinute(deps);
    expect((await received()).map(({ alert }) => alert.type)).toEqual(['alert.firing', 'alert.ended']);
    const taken = await (await fetch(url.replace('status-503', 'taken'))).json<{ body: string }[]>();
    expect(taken.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.ended']);
    expect(await readValue('n', 'SELECT count(*) AS n FROM alert_deliveries')).toBe(0);
  });

  it('gives up after three days, and says so in the log', async () => {
    await anAddress('status-500');
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    deps.advance(3 * 24 * 60 * MINUTE);
    await everyMinute(deps);
    expect(await readValue('n', 'SELECT count(*) AS n FROM alert_deliveries')).toBe(0);
    expect(deps.logged.filter(({ event }) => event === 'alert_not_delivered').map(({ fields }) => fields?.['is_given_up'])).toEqual([
      false,
      true,
    ]);
  });

  it('follows no redirect', async () => {
    const { url, id } = await anAddress('redirect');
    await aDeadLetter();
    await everyMinute(aDeps());
    expect((await operate('GET', 'alert-addresses/')).body).toMatchObject([{ id, failure: 'status_307' }]);
    const name = url.slice(url.lastIndexOf('/') + 1);
    expect(await (await fetch(url.replace(name, `taken~elsewhere-${name}`))).json()).toEqual([]);
  });

  it('one address that fails does not keep the others from theirs', async () => {
    const [bad, good] = [await anAddress('status-500'), await anAddress()];
    await aDeadLetter();
    await everyMinute(aDeps());
    expect([(await bad.received()).length, (await good.received()).length]).toEqual([1, 1]);
  });
});

describe('alert-addresses/', () => {
  it('tries an address now, and says what it answered', async () => {
    const [good, bad] = [await anAddress(), await anAddress('status-404')];
    expect(await operate('POST', `alert-addresses/${good.id}/test/`)).toMatchObject({ status: 200, body: { is_taken: true } });
    const [one] = await good.received();
    expect(one?.alert.type).toBe('alert.test');
    expect(one && isSigned(one, good.secret)).toBe(true);
    expect(await operate('POST', `alert-addresses/${bad.id}/test/`)).toMatchObject({
      status: 200,
      body: { is_taken: false, failure: 'status_404' },
    });
    expect((await operate('POST', 'alert-addresses/ala_nobody/test/')).status).toBe(404);
  });

  it('204: removes it with what waits there, audited; the path of its address is in no entry', async () => {
    const { id, url, received } = await anAddress('status-503');
    await aDeadLetter();
    const deps = aDeps();
    await everyMinute(deps);
    expect((await operate('DELETE', `alert-addresses/${id}/`)).status).toBe(204);
    expect((await operate('DELETE', `alert-addresses/${id}/`)).status).toBe(404);
    deps.advance(10 * MINUTE);
    await everyMinute(deps);
    expect(await received()).toHaveLength(1);
    const audited = await auditOf(`alert address ${id}`);
    expect(audited.map(({ action }) => action)).toEqual(['alert_address.created', 'alert_address.removed']);
    expect(JSON.stringify(audited)).not.toContain(new URL(url).pathname);
  });

  it.each([
    [{}, 'required'],
    [{ url: '' }, 'blank'],
    [{ url: 'https://10.0.0.1/' }, 'invalid_url'],
    [{ url: 'http://alerts.example.com/' }, 'invalid_url'],
  ])('400: %j', async (body, code) => {
    expect(await operate('POST', 'alert-addresses/', body)).toMatchObject({ status: 400, body: { errors: [{ attr: 'url', code }] } });
  });

  it('400: more than 20', async () => {
    for (let n = 0; n < 20; n++) await anAddress();
    expect((await anAddress()).answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'url', code: 'invalid' }] } });
  });
});
