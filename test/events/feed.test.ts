/** §12: events, as importers and systems of the platform follow them. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { cursorOf } from '../../src/events/rules-cursor';
import { everyMinute } from '../../src/scheduled';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier, call, type GivenAccount, type GivenSupplier } from '../support/given';
import { deliver, stage, stageSlice } from '../support/importing';
import { operate } from '../support/operator';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow, readRows, readValue } from '../support/tables';
import { aWholeAccount } from '../support/whole-accounts';

const DAY = 86_400_000;
const PLATFORM = { Authorization: `Bearer ${env.PLATFORM_TOKEN}` };

interface Event {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly import_supplier: string;
  readonly data: Record<string, unknown>;
}
interface Page {
  readonly events: readonly Event[];
  readonly cursor: string;
  readonly has_more: boolean;
}

const get = ({ code, token }: GivenSupplier, query: Record<string, string> = {}) =>
  call('GET', `/v2/data-import/events/${code}/?${new URLSearchParams(query).toString()}`, { token });

async function pageOf(given: GivenSupplier, query: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await get(given, query);
  expect(status).toBe(200);
  return body as Page;
}

/** Everything behind the cursor, page by page. */
async function eventsOf(given: GivenSupplier, limit = 1_000, cursor?: string): Promise<{ events: readonly Event[]; cursor: string }> {
  const events: Event[] = [];
  for (let at = cursor; ; ) {
    const page = await pageOf(given, { limit: String(limit), ...(at === undefined ? {} : { cursor: at }) });
    events.push(...page.events);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    at = page.cursor;
    if (!page.has_more) return { events, cursor: at };
  }
}

const recorded = async (given: GivenSupplier) => (await eventsOf(given)).events.map(({ type, data }) => [type, data]);
const v1 = (given: GivenSupplier, account: GivenAccount, path: string, more: object) =>
  call('POST', `/v1/data-import/${path}/create/`, {
    token: given.token,
    body: { import_supplier: given.code, external_account_number: account.externalAccountNumber, ...more },
  });
const accountOf = ({ externalAccountNumber, accountNumber }: GivenAccount) => ({
  external_account_number: externalAccountNumber,
  platform_account_number: accountNumber,
});
const dryRun = (code: string, number: string) => ({ ...aSmallAccount(code, number), task_params: { is_dry_run: true } });
const note = (body: string) => ({ body, created_at: '2026-01-01T00:00:00Z' });

/** A slice of the feed without effects: what a walk has to pass. */
const putRows = async (supplierId: number, count: number, type = 'import_supplier.changed'): Promise<void> => {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO events (id, supplier_id, occurred_at, type, data)
     SELECT (SELECT max(id) FROM events) + i, ?1, 1, ?3, json_object('status', 'Paused') FROM n`,
  )
    .bind(supplierId, count, type)
    .run();
};

describe('GET events/{supplier}/ 200', () => {
  it('says how imports ended: one event for a slice, with numbers, statuses and codes', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stageSlice(given, [
      aSmallAccount(given.code, 'a'),
      dryRun(given.code, 'dry'),
      aSmallAccount(given.code, 'wrong'),
    ]);
    await env.DB.prepare(
      `UPDATE payloads SET body = json_set(body, '$.account_type', 'CASTLE') WHERE id IN
         (SELECT id FROM import_processes WHERE supplier_id = ? AND external_account_number = 'wrong')`,
    )
      .bind(given.supplierId)
      .run();
    await deliver(deps, messages);
    const { body } = await call('GET', `/v2/data-import/accounts/${given.code}/a/`, { token: given.token });
    const { platform_identifier } = body as { platform_identifier: string };
    const [event, ...others] = (await eventsOf(given)).events;
    expect(others).toEqual([]);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[\w-]{22}$/),
      type: 'account_imports.finished',
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      import_supplier: given.code,
      data: {
        imports: [
          {
            external_account_number: 'a',
            status: 'PROCESSED',
            platform_account_number: `A-${Number(platform_identifier).toString(16).toUpperCase().padStart(8, '0')}`,
            platform_identifier,
          },
          { external_account_number: 'dry', status: 'DRY_RUN_SUCCEEDED' },
          { external_account_number: 'wrong', status: 'ERRORED', code: 'import_process_failed_validation' },
        ],
      },
    });
  });

  it('says who cancelled imports: the importer, the operator, a window that closed, a supplier that is Complete', async () => {
    const given = await aSupplier();
    const window = { schedule_window_start: '2099-01-01T00:00:00Z', schedule_window_end: '2099-02-01T00:00:00Z' };
    const later = (number: string) => ({ ...aSmallAccount(given.code, number), task_params: window });
    const { deps } = await stageSlice(given, ['a', 'b', 'c', 'd'].map(later));
    await call('DELETE', `/v2/data-import/accounts/${given.code}/a/`, { token: given.token });
    await operate('POST', `suppliers/${given.code}/import-processes/b/cancel/`);
    await env.DB.prepare(`UPDATE import_processes SET window_end = 5 WHERE supplier_id = ? AND external_account_number = 'c'`)
      .bind(given.supplierId)
      .run();
    await everyMinute(deps);
    await operate('PATCH', `suppliers/${given.code}/`, { status: 'Complete' });
    await everyMinute(deps);
    const cancelled = (external_account_number: string, reason: string) => [
      'account_imports.cancelled',
      { imports: [{ external_account_number }], reason },
    ];
    expect(await recorded(given)).toEqual([
      cancelled('a', 'importer'),
      cancelled('b', 'operator'),
      cancelled('c', 'window_closed'),
      ['import_supplier.changed', { status: 'Complete' }],
      cancelled('d', 'import_supplier_complete'),
    ]);
    // What is cancelled already is not cancelled again.
    await call('DELETE', `/v2/data-import/accounts/${given.code}/a/`, { token: given.token });
    expect(await recorded(given)).toHaveLength(5);
  });

  it('says what was added to an account and how many, and nothing where nothing new came', async () => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    const charge = { transaction_id: 'T-1', amount: 12, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
    const posts = () =>
      Promise.all([
        v1(given, account, 'notes', { notes: [note('one'), note('two')] }),
        v1(given, account, 'transactions', {
          transactions: [{ ...charge, transaction_date: new Date().toISOString().slice(0, 10) }],
        }),
        v1(given, account, 'historical-statements', {
          statements: [{ statement_id: 'S-1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' }],
        }),
        v1(given, account, 'payment-instruction', { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }),
      ]);
    expect((await posts()).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const sorted = async () => (await recorded(given)).map(([type, data]) => JSON.stringify([type, data])).sort();
    const expected = [
      ['notes.added', 2],
      ['payment_instruction.added', 1],
      ['statements.added', 1],
      ['transactions.added', 1],
    ].map(([type, count]) => JSON.stringify([type, { ...accountOf(account), count }]));
    expect(await sorted()).toEqual(expected);
    expect((await posts()).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await sorted()).toEqual(expected);
    await v1(given, account, 'notes', { notes: [note('two'), note('three')] });
    expect((await recorded(given)).at(-1)).toEqual(['notes.added', { ...accountOf(account), count: 1 }]);
  });

  it('reports the end of a payment instruction, once', async () => {
    const account = await aWholeAccount(await aSupplier());
    const end = () => operate('POST', `accounts/${account.number}/payment-instructions/CARD/end/`, { reason: 'Lost.' });
    expect((await end()).status).toBe(200);
    expect((await end()).status).toBe(409);
    const ended = (await recorded(account.supplier)).filter(([type]) => type === 'payment_instruction.ended');
    expect(ended).toEqual([
      ['payment_instruction.ended', { external_account_number: account.external, platform_account_number: account.number, count: 1 }],
    ]);
  });

  it('reports the erasure of an account, once', async () => {
    const account = await aWholeAccount(await aSupplier());
    const erase = () => operate('POST', `accounts/${account.number}/erase/`, { reason: 'Asked for.' });
    expect((await erase()).status).toBe(200);
    expect((await erase()).status).toBe(200);
    const erased = (await recorded(account.supplier)).filter(([type]) => type === 'account.erased');
    expect(erased).toEqual([['account.erased', { external_account_number: account.external, platform_account_number: account.number }]]);
  });

  it('reports changes of the status of the supplier, and no others', async () => {
    const given = await aSupplier();
    const patch = (body: object) => operate('PATCH', `suppliers/${given.code}/`, body);
    for (const body of [{ status: 'Paused' }, { status: 'Paused' }, { name: 'Other' }, { status: 'Ongoing' }])
      expect((await patch(body)).status).toBe(200);
    expect(await recorded(given)).toEqual([
      ['import_supplier.changed', { status: 'Paused' }],
      ['import_supplier.changed', { status: 'Ongoing' }],
    ]);
  });

  it('holds nothing personal', async () => {
    const account = await aWholeAccount(await aSupplier());
    const results = await readRows('SELECT data FROM events WHERE supplier_id = ?', account.supplier.supplierId);
    const text = JSON.stringify(results);
    expect(text.length).toBeGreaterThan(300);
    const full = JSON.stringify(aFullAccount(account.supplier.code, account.external));
    const strings = [...full.matchAll(/:"([^"]{4,})"/g)].map(([, value = '']) => value);
    const harmless = /^(?:external_account_number|status|W\/.*|transactions|notes|statements|import_supplier|SUP-.*)$/;
    expect(strings.filter((value) => !harmless.test(value) && text.includes(value))).toEqual([]);
  });
});

describe('the cursor', () => {
  it('goes on from page to page of any size, none twice, none left out, and comes back with no events, too', async () => {
    const given = await aSupplier();
    const empty = await pageOf(given);
    expect(empty).toEqual({ events: [], cursor: expect.stringMatching(/^[\w-]{22}$/), has_more: false });
    const account = await anImportedAccount(given);
    for (const text of ['1', '2', '3', '4', '5']) await v1(given, account, 'notes', { notes: [note(text)] });
    const whole = (await eventsOf(given)).events;
    expect(whole).toHaveLength(5);
    for (const limit of [1, 2, 3, 4, 5]) expect((await eventsOf(given, limit, empty.cursor)).events).toEqual(whole);
    const { cursor } = await eventsOf(given);
    expect((await pageOf(given, { cursor })).events).toEqual([]);
    await v1(given, account, 'notes', { notes: [note('6')] });
    expect((await pageOf(given, { cursor })).events).toMatchObject([{ type: 'notes.added' }]);
  });

  it('looks new at each answer, so it does not say whether others did anything', async () => {
    const given = await aSupplier();
    const cursors = await Promise.all(Array.from({ length: 5 }, async () => (await pageOf(given)).cursor));
    expect(new Set(cursors).size).toBe(5);
    const account = await anImportedAccount(given);
    await v1(given, account, 'notes', { notes: [note('1')] });
    const pages = await Promise.all(cursors.map((cursor) => pageOf(given, { cursor })));
    // The same event has the same id each time.
    expect(new Set(pages.map(({ events }) => JSON.stringify(events))).size).toBe(1);
  });

  it('a page ends where its events would be too large, and goes on there', async () => {
    const given = await aSupplier();
    const imports = Array.from({ length: 500 }, (_, i) => ({ external_account_number: `${i}`.padEnd(5_000, 'x'), status: 'ERRORED' }));
    await putRows(given.supplierId, 3, 'account_imports.finished');
    await env.DB.prepare('UPDATE events SET data = ? WHERE supplier_id = ?')
      .bind(JSON.stringify({ imports: imports.slice(0, 370) }), given.supplierId)
      .run();
    const first = await pageOf(given);
    expect([first.events.length, first.has_more]).toEqual([2, true]);
    expect((await eventsOf(given)).events).toHaveLength(3);
  });

  /** The events of a supplier, and everything else that happened before, are so many days older. */
  const age = async (given: GivenSupplier, days: number): Promise<void> => {
    await env.DB.prepare('UPDATE events SET id = id - ?2, occurred_at = occurred_at - ?2 WHERE supplier_id = ?1')
      .bind(given.supplierId, days * DAY)
      .run();
  };
  const countOf = async ({ supplierId }: GivenSupplier) =>
    (await readValue('count', 'SELECT count(*) AS count FROM events WHERE supplier_id = ?', supplierId)) as number;

  it('of events that are too old is 410, with the oldest that there is', async () => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    await v1(given, account, 'notes', { notes: [note('0')] });
    for (const text of ['1', '2']) await v1(given, account, 'notes', { notes: [note(text)] });
    await age(given, 31);
    const [oldest] = await readRows<{ id: number }>('SELECT id FROM events WHERE supplier_id = ? ORDER BY id', given.supplierId);
    const { key } = (await readRow<{
      key: string;
    }>(`SELECT value AS key FROM service_keys WHERE name = 'event_cursor'`)) ?? {
      key: '',
    };
    const passed = cursorOf(oldest?.id ?? 0, key, 1);
    const gone = await get(given, { cursor: passed });
    expect(gone).toMatchObject({ status: 410, body: { code: 'cursor_expired', cursor: expect.stringMatching(/^[\w-]{22}$/) } });
    expect((await pageOf(given)).events).toEqual([]);
    // Whoever had read everything has missed nothing.
    const all = cursorOf((oldest?.id ?? 0) + 2 * DAY, key, 1);
    expect(await pageOf(given, { cursor: all })).toMatchObject({ events: [], has_more: false });
    await v1(given, account, 'notes', { notes: [note('3')] });
    for (const query of [{}, { cursor: (gone.body as Page).cursor }, { cursor: all }] as Record<string, string>[])
      expect(await pageOf(given, query)).toMatchObject({ events: [{ type: 'notes.added' }], has_more: false });
  });

  it('are read for as long as the supplier says, and deleted after the longest that any says', async () => {
    const [short, long] = [
      await aSupplier({ configuration: { event_retention_days: 5 } }),
      await aSupplier({ configuration: { event_retention_days: 40 } }),
    ];
    for (const given of [short, long]) {
      const account = await anImportedAccount(given);
      for (const text of ['1', '2']) await v1(given, account, 'notes', { notes: [note(text)] });
      await age(given, 6);
    }
    expect((await pageOf(short)).events).toEqual([]);
    expect((await pageOf(long)).events).toHaveLength(2);
    const deps = aDeps();
    deps.advance(33 * DAY);
    await everyMinute(deps);
    expect([await countOf(short), await countOf(long)]).toEqual([2, 2]);
    deps.advance(2 * DAY);
    // Nothing is deleted on a guess.
    const broken = await aSupplier();
    await env.DB.prepare(`UPDATE suppliers SET configuration = '{' WHERE id = ?`).bind(broken.supplierId).run();
    await everyMinute(deps);
    expect([await countOf(short), await countOf(long)]).toEqual([2, 2]);
    await env.DB.prepare(`UPDATE suppliers SET configuration = '{"default_country":"GB"}' WHERE id = ?`).bind(broken.supplierId).run();
    const { cursor } = await pageOf(long);
    const ofAll = (query: string) => call('GET', `/platform/v1/events/?limit=1${query}`, { headers: PLATFORM });
    const { cursor: first } = (await ofAll('')).body as Page;
    await everyMinute(deps);
    const gone = await ofAll(`&cursor=${first}`);
    expect(gone).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
    expect((await ofAll(`&cursor=${(gone.body as Page).cursor}`)).status).toBe(200);
    expect(await countOf(short)).toBe(0);
    expect(await countOf(long)).toBeLessThan(2);
    expect((await get(long, { cursor })).status).toBe(200);
  });

  it('what is committed after a restore, or by a clock that runs behind, comes after every cursor that was given before', async () => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    await v1(given, account, 'notes', { notes: [note('1')] });
    const { cursor } = await eventsOf(given);
    // The restore takes the event back.
    await env.DB.prepare('DELETE FROM events WHERE supplier_id = ?').bind(given.supplierId).run();
    await v1(given, account, 'notes', { notes: [note('2')] });
    expect((await eventsOf(given, 10, cursor)).events).toHaveLength(1);
    const late = aDeps();
    late.advance(-60_000);
    const { messages } = await stage(given, [aSmallAccount(given.code, 'late')], late);
    const after = await eventsOf(given);
    await deliver(late, messages);
    expect((await eventsOf(given, 10, after.cursor)).events).toMatchObject([{ type: 'account_imports.finished' }]);
  });
});

describe('GET events/{supplier}/ 4xx', () => {
  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'all'],
    ['cursor', ''],
    ['cursor', 'none'],
    ['cursor', 'AAAAAAAAAAAAAAAAAAAAAA'],
  ])('400 `invalid` at %s=%j', async (name, value) => {
    const answer = await get(await aSupplier(), { [name]: value });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error', errors: [{ attr: name, code: 'invalid' }] } });
  });

  it('401 without a good token, 404 for a supplier that is unknown or of somebody else', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    expect((await call('GET', `/v2/data-import/events/${given.code}/`)).status).toBe(401);
    const theirs = await get({ ...other, token: given.token });
    const nobodys = await get({ ...given, code: 'NOBODY' });
    expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect((await get(given)).status).toBe(401);
  });
});

describe('GET /platform/v1/events/', () => {
  const read = (query: Record<string, string> = {}, headers: Record<string, string> = PLATFORM) =>
    call('GET', `/platform/v1/events/?${new URLSearchParams(query).toString()}`, { headers });

  it('reports the events of all suppliers in commit order, with the same ids', async () => {
    const [one, two] = [await aSupplier(), await aSupplier()];
    const accounts = [await anImportedAccount(one), await anImportedAccount(two)] as const;
    const before: string[] = [];
    for (let at: string | undefined; ; ) {
      const { body } = await read({ limit: '1000', ...(at === undefined ? {} : { cursor: at }) });
      const page = body as Page;
      at = page.cursor;
      if (page.has_more) continue;
      before.push(at);
      break;
    }
    await v1(one, accounts[0], 'notes', { notes: [note('1')] });
    await v1(two, accounts[1], 'notes', { notes: [note('1')] });
    await v1(one, accounts[0], 'notes', { notes: [note('2')] });
    const page = (await read({ cursor: before[0] ?? '' })).body as Page;
    expect(page.events.map(({ import_supplier }) => import_supplier)).toEqual([one.code, two.code, one.code]);
    expect(page.events.filter(({ import_supplier }) => import_supplier === one.code)).toEqual((await eventsOf(one)).events);
    const first = (await read({ cursor: before[0] ?? '', limit: '1' })).body as Page;
    expect([first.events.length, first.has_more]).toEqual([1, true]);
  });

  it('is for systems of the platform only', async () => {
    const given = await aSupplier();
    expect((await read({}, {})).status).toBe(401);
    expect((await read({}, { Authorization: `Token ${given.token}` })).status).toBe(401);
    expect(await read({ limit: '0' })).toMatchObject({ status: 400, body: { errors: [{ attr: 'limit', code: 'invalid' }] } });
  });
});

// Last, because rows past the clock keep it from deciding about ids for a while.
describe('a walk', () => {
  it('passes what other suppliers did without a trace, and comes back where it passed', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const account = await anImportedAccount(given);
    const { cursor } = await pageOf(given);
    await putRows(other.supplierId, 10_050);
    await v1(given, account, 'notes', { notes: [note('mine')] });
    const passing = await pageOf(given, { cursor });
    expect(passing).toMatchObject({ events: [], has_more: true });
    expect(await pageOf(given, { cursor: passing.cursor })).toMatchObject({ events: [{ type: 'notes.added' }], has_more: false });
  });
});
