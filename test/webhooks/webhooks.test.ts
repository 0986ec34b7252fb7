/** §13: events are pushed, signed, in order, at least once; nothing is lost. */
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { commit } from '../../src/db';
import { revokeApiKey } from '../../src/organisations';
import { wakeWebhooks } from '../../src/webhooks';
import { removeWebhook } from '../../src/webhooks/register';
import {
  addCursors,
  advanceCursor,
  claimCursor,
  claimedCursor,
  delayCursor,
  markNew,
  moveWalk,
  releaseCursor,
} from '../../src/webhooks/store-deliveries';
import { databaseAround } from '../support/around';
import { aDeps, type GivenDeps } from '../support/deps';
import { anImportedAccount, aSupplier, call, type GivenAccount, type GivenSupplier } from '../support/given';
import { deliver } from '../support/importing';
import { readRows, readValue } from '../support/tables';

const HOUR = 3_600_000;
const PATH = '/v2/data-import/webhooks/';

interface Shown {
  readonly id: string;
  readonly secret: string;
  readonly state: string;
  readonly is_enabled: boolean;
  readonly [field: string]: unknown;
}
interface Received {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const ask = (given: GivenSupplier, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) =>
  call(method, `${PATH}${path}`, { token: given.token, ...(body ? { body } : {}) });

const aUrl = (behaviour: string) => `${env.STRIPE_API_BASE}/double/alerts/${behaviour}~${crypto.randomUUID()}`;

/** A webhook at the double, by how it answers. */
async function aWebhook(given: GivenSupplier, behaviour = 'taken', filter: object = {}) {
  const url = aUrl(behaviour);
  const { status, body } = await ask(given, 'POST', '', { url, ...filter });
  expect(status).toBe(201);
  const { id, secret } = body as Shown;
  const received = async () => (await fetch(url)).json<Received[]>();
  return { id, secret, url, received };
}

const shown = async (given: GivenSupplier, id: string): Promise<Shown> => {
  const one = ((await ask(given, 'GET')).body as Shown[]).find((each) => each.id === id);
  if (!one) throw new Error('the webhook is not listed');
  return one;
};

/** A note of its own: one event. */
const addNote = async (given: GivenSupplier, account: GivenAccount): Promise<void> => {
  const { status } = await call('POST', '/v1/data-import/notes/create/', {
    token: given.token,
    body: {
      import_supplier: given.code,
      external_account_number: account.externalAccountNumber,
      notes: [{ body: crypto.randomUUID() }],
    },
  });
  expect(status).toBe(201);
};

/** What the sweep sends for that webhook, delivered. */
async function push(deps: GivenDeps, id: string): Promise<void> {
  deps.woken.splice(0);
  await wakeWebhooks(deps);
  const bodies = deps.woken.splice(0).flatMap(({ body }) => (body.webhook_id === id ? [body] : []));
  await deliver(deps, bodies, { queue: 'webhook-deliveries' });
}

const feed = async (given: GivenSupplier, query = '') =>
  (await call('GET', `/v2/data-import/events/${given.code}/?limit=1000${query}`, { token: given.token })).body as {
    events: { id: string; type: string }[];
    cursor: string;
  };

const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);
/** Each once, in the order in which it first came. */
const seenOf = (received: readonly Received[]) => [...new Set(idsOf(received))];

async function given() {
  const supplier = await aSupplier();
  const account = await anImportedAccount(supplier);
  const { cursor } = await feed(supplier);
  const since = async () => (await feed(supplier, `&cursor=${cursor}`)).events;
  return { supplier, account, cursor, since, deps: aDeps() };
}

describe('a webhook', () => {
  it('receives what the feed has, verified by the official library', async () => {
    const { supplier, account, since, deps } = await given();
    const { id, secret, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    await addNote(supplier, account);
    await push(deps, id);
    const all = await received();
    expect(all.map(({ body, headers }) => new Webhook(secret).verify(body, headers))).toEqual(await since());
    expect(idsOf(all)).toEqual((await since()).map((event) => event.id));
    expect(() => new Webhook(secret).verify(`${all[0]?.body} `, all[0]?.headers ?? {})).toThrow();
    expect(await shown(supplier, id)).toMatchObject({ state: 'ENABLED', lag_seconds: 0 });
  });

  it('that fails half of its answers has seen every event in order in the end', async () => {
    const { supplier, account, since, deps } = await given();
    const { id, received, secret } = await aWebhook(supplier, 'half');
    for (let index = 0; index < 6; index++) await addNote(supplier, account);
    for (let round = 0; round < 7; round++) {
      await push(deps, id);
      deps.advance(6_000);
    }
    const all = await received();
    expect(seenOf(all)).toEqual((await since()).map((event) => event.id));
    expect(all).toHaveLength(12);
    for (const { body, headers } of all) new Webhook(secret).verify(body, headers);
  });

  it('is not sent the next event before the one that fails, and only when its time has come', async () => {
    const { supplier, account, deps } = await given();
    const { id, received } = await aWebhook(supplier, 'status-503');
    await addNote(supplier, account);
    await addNote(supplier, account);
    const delays = [5, 30, 120, 600, 3_600, 10_800, 10_800];
    for (const [index, seconds] of delays.entries()) {
      await push(deps, id);
      expect(await received()).toHaveLength(index + 1);
      deps.advance(seconds * 1_000 - 1_000);
      await push(deps, id);
      expect(await received()).toHaveLength(index + 1);
      deps.advance(1_000);
    }
    expect(seenOf(await received())).toHaveLength(1);
    expect(await shown(supplier, id)).toMatchObject({ state: 'FAILING', latest_failure: { reason: 'status_503' } });
  });

  it('asks for its next try by a message that comes later', async () => {
    const { supplier, account, deps } = await given();
    const { id } = await aWebhook(supplier, 'status-500');
    await addNote(supplier, account);
    await wakeWebhooks(deps);
    const [message] = deps.woken.splice(0).filter(({ body }) => body.webhook_id === id);
    await deliver(deps, [message?.body], { queue: 'webhook-deliveries' });
    expect(deps.woken).toEqual([{ body: message?.body, delaySeconds: 5 }]);
  });

  it('is disabled after three days of failures, and goes on where it stopped once it is enabled', async () => {
    const { supplier, account, since, deps } = await given();
    const { id, received } = await aWebhook(supplier, 'status-500');
    await addNote(supplier, account);
    for (let round = 0; round < 40; round++) {
      await push(deps, id);
      deps.advance(3 * HOUR);
    }
    expect(await shown(supplier, id)).toMatchObject({ state: 'DISABLED', is_enabled: false, disabled_reason: 'failing' });
    const tries = (await received()).length;
    await addNote(supplier, account);
    await push(deps, id);
    expect(await received()).toHaveLength(tries);
    const url = aUrl('taken');
    expect((await ask(supplier, 'PATCH', `${id}/`, { url, is_enabled: true })).body).toMatchObject({ is_enabled: true });
    await push(deps, id);
    expect(idsOf(await (await fetch(url)).json<Received[]>())).toEqual((await since()).map((event) => event.id));
  });

  it('is disabled by 410 at once', async () => {
    const { supplier, account, deps } = await given();
    const { id, received } = await aWebhook(supplier, 'status-410');
    await addNote(supplier, account);
    await push(deps, id);
    expect(await received()).toHaveLength(1);
    expect(await shown(supplier, id)).toMatchObject({ state: 'DISABLED', disabled_reason: 'gone' });
  });

  it('is not redirected', async () => {
    const { supplier, account, deps } = await given();
    const { id } = await aWebhook(supplier, 'redirect');
    await addNote(supplier, account);
    await push(deps, id);
    expect(await shown(supplier, id)).toMatchObject({ state: 'FAILING', latest_failure: { reason: 'status_307' } });
  });

  it('is sent an event again whose effect was lost, and by one at a time', async () => {
    const { supplier, account, since, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    await addNote(supplier, account);
    await wakeWebhooks(deps);
    const bodies = deps.woken.splice(0).flatMap(({ body }) => (body.webhook_id === id ? [body] : []));
    // The same message three times, at once: one of them sends.
    await deliver(deps, [...bodies, ...bodies, ...bodies], { queue: 'webhook-deliveries' });
    expect(idsOf(await received())).toEqual((await since()).map((event) => event.id));
    // A consumer that died while it sent: its claim runs out, and the event comes again.
    await addNote(supplier, account);
    await env.DB.prepare('UPDATE webhook_cursors SET claim = 7, claimed_until = ?2 WHERE webhook_id = ?1')
      .bind(id, deps.now() + 60_000)
      .run();
    await push(deps, id);
    expect(await received()).toHaveLength(2);
    deps.advance(60_001);
    await push(deps, id);
    expect(idsOf(await received())).toEqual((await since()).map((event) => event.id));
  });

  it('gets the types and suppliers that it asks for, and nothing of others', async () => {
    const { supplier, account, deps, since } = await given();
    const [{ supplier: other, account: theirs }] = [await given()];
    const changed = await aWebhook(supplier, 'taken', { types: ['import_supplier.changed'] });
    const all = await aWebhook(supplier, 'taken', { import_suppliers: [supplier.code] });
    await addNote(supplier, account);
    await addNote(other, theirs);
    await push(deps, changed.id);
    await push(deps, all.id);
    expect(await changed.received()).toEqual([]);
    expect(await shown(supplier, changed.id)).toMatchObject({ lag_seconds: 0 });
    expect(idsOf(await all.received())).toEqual((await since()).map((event) => event.id));
  });

  it('is moved on by nobody but who claimed it', async () => {
    const { supplier, account, since, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    await commit(env.DB, [addCursors({ id }), markNew({}), moveWalk({})]);
    const key = { supplierId: supplier.supplierId, webhookId: id, claim: 7 };
    const [now, until] = [deps.now(), deps.now() + 60_000];
    await commit(env.DB, [claimCursor({ ...key, now, until })]);
    const other = { ...key, claim: 8 };
    const [, , [claimed]] = await commit(env.DB, [
      claimCursor({ ...other, now, until }),
      advanceCursor({ ...other, afterId: Number.MAX_SAFE_INTEGER, occurredAt: now, until }),
      claimedCursor(other),
    ]);
    expect(claimed).toBeUndefined();
    await commit(env.DB, [releaseCursor({ ...key, now })]);
    await push(deps, id);
    expect(idsOf(await received())).toEqual((await since()).map((event) => event.id));
  });

  it('goes on with more events than one message sends', async () => {
    const { supplier, deps, since } = await given();
    const { id, received } = await aWebhook(supplier);
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
       INSERT INTO events (id, supplier_id, occurred_at, type, data)
       SELECT (SELECT max(id) FROM events) + i, ?1, 1, 'import_supplier.changed', json_object('status', 'Paused') FROM n`,
    )
      .bind(supplier.supplierId)
      .run();
    await push(deps, id);
    expect(await received()).toHaveLength(50);
    for (const { body } of deps.woken.splice(0)) await deliver(deps, [body], { queue: 'webhook-deliveries' });
    for (const { body } of deps.woken.splice(0)) await deliver(deps, [body], { queue: 'webhook-deliveries' });
    expect(idsOf(await received())).toEqual((await since()).map((event) => event.id));
    expect(deps.woken).toEqual([]);
  });

  it('loses nothing where a message is out of tries, or of no known form', async () => {
    const { supplier, account, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    const message = { v: 1, webhook_id: id, supplier_id: supplier.supplierId };
    expect(await deliver(deps, [message], { queue: 'webhook-deliveries-dead-letters' })).toEqual({ acked: ['m0'], retried: [] });
    await push(deps, id);
    expect(await received()).toHaveLength(1);
  });
});

describe('POST webhooks/{id}/rotate-secret/', () => {
  it('lets both secrets sign for 24 hours, then the next alone', async () => {
    const { supplier, account, deps } = await given();
    const { id, secret, received } = await aWebhook(supplier);
    const { body } = await ask(supplier, 'POST', `${id}/rotate-secret/`);
    const next = (body as Shown).secret;
    expect(next).not.toBe(secret);
    await addNote(supplier, account);
    await push(deps, id);
    const [one] = await received();
    for (const each of [secret, next]) new Webhook(each).verify(one?.body ?? '', one?.headers ?? {});
    deps.advance(24 * HOUR);
    await addNote(supplier, account);
    await push(deps, id);
    expect((await received())[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('makes one secret of two at the same moment', async () => {
    const { supplier } = await given();
    const { id } = await aWebhook(supplier);
    const both = await Promise.all([1, 2].map(() => ask(supplier, 'POST', `${id}/rotate-secret/`)));
    const generation = await readValue<number>('generation', 'SELECT generation FROM webhooks WHERE id = ?', id);
    expect(generation).toBe(new Set(both.map(({ body }) => (body as Shown).secret)).size + 1);
  });
});

describe('POST webhooks/{id}/replay/', () => {
  it('goes on from the cursor, with the same ids', async () => {
    const { supplier, account, cursor, since, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    await addNote(supplier, account);
    await push(deps, id);
    expect((await ask(supplier, 'POST', `${id}/replay/`, { cursor })).status).toBe(200);
    deps.advance(60_001);
    await push(deps, id);
    const ids = (await since()).map((event) => event.id);
    expect(idsOf(await received())).toEqual([...ids, ...ids]);
  });

  it('ends a delivery that is under way: what that one took passes over nothing', async () => {
    const { supplier, account, cursor, since, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    await push(deps, id);
    deps.advance(60_001);
    const key = { supplierId: supplier.supplierId, webhookId: id, claim: 7 };
    const [now, until] = [deps.now(), deps.now() + 60_000];
    await commit(env.DB, [claimCursor({ ...key, now, until })]);
    expect((await ask(supplier, 'POST', `${id}/replay/`, { cursor })).status).toBe(200);
    const later = { afterId: Number.MAX_SAFE_INTEGER, occurredAt: now, until };
    await commit(env.DB, [advanceCursor({ ...key, ...later }), delayCursor({ ...key, now, nextAt: until, afterId: later.afterId })]);
    deps.advance(60_001);
    await push(deps, id);
    const ids = (await since()).map((event) => event.id);
    expect(idsOf(await received())).toEqual([...ids, ...ids]);
  });

  it('410 for a cursor whose events are gone, with one to go on from', async () => {
    const { supplier, account, cursor } = await given();
    const { id } = await aWebhook(supplier);
    for (let added = 0; added < 2; added++) await addNote(supplier, account);
    // As retention does, in the end.
    await env.DB.prepare('DELETE FROM events WHERE id < (SELECT max(id) FROM events)').run();
    expect(await ask(supplier, 'POST', `${id}/replay/`, { cursor })).toMatchObject({
      status: 410,
      body: { code: 'cursor_expired', cursor: expect.stringMatching(/^[\w-]{22}$/) },
    });
  });

  it.each(['', 'nonsense', 'A'.repeat(22)])('400 for the cursor %j', async (cursor) => {
    const { supplier } = await given();
    const { id } = await aWebhook(supplier);
    const { status, body } = await ask(supplier, 'POST', `${id}/replay/`, { cursor });
    expect([status, (body as { errors: { attr: string }[] }).errors[0]?.attr]).toEqual([400, 'cursor']);
  });
});

describe('POST webhooks/{id}/test/', () => {
  it('sends a signed test event now, and says what became of it', async () => {
    const { supplier } = await given();
    const good = await aWebhook(supplier);
    expect((await ask(supplier, 'POST', `${good.id}/test/`)).body).toEqual({ is_taken: true });
    const [one] = await good.received();
    expect(new Webhook(good.secret).verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({ type: 'webhook.test' });
    const bad = await aWebhook(supplier, 'status-503');
    expect((await ask(supplier, 'POST', `${bad.id}/test/`)).body).toEqual({ is_taken: false, reason: 'status_503' });
  });
});

describe('POST and PATCH webhooks/', () => {
  it.each([
    [{ url: 'http://hooks.example.com/' }, 'invalid_url', 'url'],
    [{ url: 'https://10.0.0.1/' }, 'invalid_url', 'url'],
    [{ url: 'https://hooks.internal/' }, 'invalid_url', 'url'],
    [{}, 'required', 'url'],
    [{ url: 'https://hooks.example.com/', import_suppliers: ['NOBODYS'] }, 'does_not_exist', 'import_suppliers.0'],
    [{ url: 'https://hooks.example.com/', types: ['notes.removed'] }, 'invalid_choice', 'types.0'],
  ])('400 for %j', async (body, code, attr) => {
    const { supplier } = await given();
    const answer = await ask(supplier, 'POST', '', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ code, attr }] });
    expect((await ask(supplier, 'GET')).body).toEqual([]);
  });

  it('takes an address of the machine itself only where that is allowed', async () => {
    const { supplier } = await given();
    const { createWebhook } = await import('../../src/webhooks/register');
    const url = 'http://127.0.0.1:9999/';
    const outcome = await createWebhook(aDeps({ WEBHOOK_ALLOW_LOCAL: 'off' }), supplier, { url });
    expect(outcome).toMatchObject({ kind: 'invalid', errors: [{ code: 'invalid_url' }] });
  });

  it('makes at most 20 of an organisation', async () => {
    const { supplier } = await given();
    for (let index = 0; index < 20; index++) await aWebhook(supplier);
    expect(await ask(supplier, 'POST', '', { url: aUrl('taken') })).toMatchObject({ status: 400, body: { errors: [{ attr: 'url' }] } });
    expect((await ask(supplier, 'GET')).body).toHaveLength(20);
  });

  it('changes what is given, and an empty filter takes everything', async () => {
    const { supplier } = await given();
    const { id, url } = await aWebhook(supplier, 'taken', { import_suppliers: [supplier.code], types: ['notes.added'] });
    const changed = await ask(supplier, 'PATCH', `${id}/`, { types: [], is_enabled: false });
    expect(changed).toMatchObject({
      status: 200,
      body: { url, import_suppliers: [supplier.code], types: [], is_enabled: false, disabled_reason: 'importer' },
    });
    expect((await ask(supplier, 'PATCH', `${id}/`, { import_suppliers: null })).body).toMatchObject({ import_suppliers: [] });
  });

  it('shows the secret once, and stores it nowhere', async () => {
    const { supplier } = await given();
    const { id, secret } = await aWebhook(supplier);
    expect(JSON.stringify((await ask(supplier, 'GET')).body)).not.toContain(secret);
    expect(JSON.stringify(await readRows('SELECT * FROM webhooks WHERE id = ?', id))).not.toContain(secret);
  });

  it('of another organisation are not there', async () => {
    const { supplier } = await given();
    const other = await aSupplier();
    const { id } = await aWebhook(supplier);
    const before = await shown(supplier, id);
    const cursor = { cursor: 'A'.repeat(22) };
    const answers = [
      await ask(other, 'PATCH', `${id}/`, { is_enabled: false }),
      await ask(other, 'DELETE', `${id}/`),
      await ask(other, 'POST', `${id}/test/`),
      await ask(other, 'POST', `${id}/rotate-secret/`),
      await ask(other, 'POST', `${id}/replay/`, cursor),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await ask(other, 'GET')).body).toEqual([]);
    expect(await shown(supplier, id)).toEqual(before);
  });
});

describe('DELETE webhooks/{id}/', () => {
  it('sends nothing any more', async () => {
    const { supplier, account, deps } = await given();
    const { id, received } = await aWebhook(supplier);
    await addNote(supplier, account);
    expect((await ask(supplier, 'DELETE', `${id}/`)).status).toBe(204);
    await push(deps, id);
    expect(await received()).toEqual([]);
    expect((await ask(supplier, 'DELETE', `${id}/`)).status).toBe(404);
    expect(await readValue('n', 'SELECT count(*) AS n FROM webhook_cursors WHERE webhook_id = ?', id)).toBe(0);
  });

  it('401, and nothing is removed, where the key is revoked while it is asked for', async () => {
    const supplier = await aSupplier();
    const { id } = await aWebhook(supplier);
    const deps = aDeps();
    let trips = 0;
    const db = databaseAround(deps.db, async (_, run) => {
      const answer = await run();
      if (++trips === 1) await revokeApiKey(deps, 'Ada', supplier.apiKeyId);
      return answer;
    });
    const caller = { apiKeyId: supplier.apiKeyId, organisationId: supplier.organisationId };
    expect(await removeWebhook({ ...deps, db }, caller, id)).toEqual({ kind: 'unauthenticated' });
    expect(await readValue('id', 'SELECT id FROM webhooks WHERE id = ?', id)).toBe(id);
  });
});
