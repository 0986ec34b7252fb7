/** §11: platform systems read accounts whole, and follow them in the order in which they were committed. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { listUnlisted } from '../../src/accounts';
import { authenticatePlatform } from '../../src/platform';
import { readFeed } from '../../src/platform/feed';
import { aDeps } from '../support/deps';
import { anAddress, anImportedAccount, aSupplier, call, type GivenSupplier, linesOf, send } from '../support/given';
import { deliver, stage, stageSlice } from '../support/importing';
import { OPERATOR, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';
import { aWholeAccount, importAll } from '../support/whole-accounts';

const PLATFORM = { Authorization: `Bearer ${env.PLATFORM_TOKEN}` };
const read = (path: string, headers: Record<string, string> = PLATFORM) => call('GET', `/platform/v1/accounts/${path}`, { headers });

interface Page {
  readonly status: number;
  readonly accounts: readonly Record<string, unknown>[];
  readonly externals: readonly string[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

async function follow(query: Readonly<Record<string, string>>): Promise<Page> {
  const answer = await send('GET', `/platform/v1/accounts/?${new URLSearchParams(query).toString()}`, { headers: PLATFORM });
  expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
  const accounts = linesOf(answer);
  const last = accounts.pop();
  const externals = accounts.map((account) => String(account['external_account_number']));
  return { status: answer.status, accounts, externals, cursor: String(last?.['cursor']), hasMore: last?.['has_more'] === true };
}

/** Follows to the end; answers what came, and where to go on. */
async function followAll({ code }: GivenSupplier, limit: number, cursor?: string) {
  const externals: string[] = [];
  for (let at = cursor; ; ) {
    const page = await follow({ import_supplier: code, limit: String(limit), ...(at === undefined ? {} : { cursor: at }) });
    externals.push(...page.externals);
    expect(page.accounts.length).toBeLessThanOrEqual(limit);
    at = page.cursor;
    if (!page.hasMore) return { externals, cursor: at };
  }
}

const smallOnes = ({ code }: GivenSupplier, ...externals: string[]) => externals.map((external) => aSmallAccount(code, external));

describe('GET accounts/{number}/', () => {
  it('reads an account whole by number and identifier, with nothing masked and nothing of the operator', async () => {
    const account = await aWholeAccount(await aSupplier());
    const answer = await read(`${account.number}/`);
    expect(answer).toMatchObject({
      status: 200,
      body: { platform_account_number: account.number, import_process: { status: 'PROCESSED' } },
    });
    expect(JSON.stringify(answer.body)).toContain('Prefers to be called');
    const { history: _, ...revealed } = (await operate('POST', `accounts/${account.number}/reveal/`)).body as Record<string, unknown>;
    expect(answer.body).toEqual(revealed);
    expect((await read(`${account.identifier}/`)).body).toEqual(revealed);
    expect((await follow({ import_supplier: account.supplier.code })).accounts).toEqual([revealed]);
  });

  it.each(['A-0BADCAFE', '4294967296', 'toString'])('%s is 404', async (number) => {
    expect(await read(`${number}/`)).toMatchObject({ status: 404 });
  });
});

describe('GET accounts/ follows accounts in commit order', () => {
  it('in pages of any size, none twice, none left out, those of one commit in its order', async () => {
    const supplier = await aSupplier();
    await importAll(supplier, smallOnes(supplier, 'a', 'b', 'c'));
    await importAll(supplier, smallOnes(supplier, 'd', 'e'));
    for (const limit of [1, 2, 3, 4, 5, 1_000]) {
      const { externals } = await followAll(supplier, limit);
      expect(externals.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(externals.slice(3).toSorted()).toEqual(['d', 'e']);
    }
  });

  it('what was staged first and created last comes last: a reader that goes on from its cursor misses nothing', async () => {
    const supplier = await aSupplier();
    const early = await stage(supplier, smallOnes(supplier, 'early'), aDeps());
    const late = await stage(supplier, smallOnes(supplier, 'late'), aDeps());
    await deliver(late.deps, late.messages);
    const first = await followAll(supplier, 10);
    expect(first.externals).toEqual(['late']);
    expect((await follow({ import_supplier: supplier.code, cursor: first.cursor })).externals).toEqual([]);
    await deliver(early.deps, early.messages);
    const second = await followAll(supplier, 10, first.cursor);
    expect(second.externals).toEqual(['early']);
    expect((await followAll(supplier, 10)).externals).toEqual(['late', 'early']);
  });

  it('a message that is delivered again, and a clock that runs behind, change nothing in the order', async () => {
    const supplier = await aSupplier();
    const ahead = aDeps();
    ahead.advance(3_600_000);
    const one = await stage(supplier, smallOnes(supplier, 'one'), ahead);
    await deliver(one.deps, one.messages);
    await deliver(one.deps, one.messages);
    const { cursor } = await followAll(supplier, 10);
    const two = await stage(supplier, smallOnes(supplier, 'two'), aDeps());
    await Promise.all([deliver(two.deps, two.messages), deliver(two.deps, two.messages)]);
    expect((await followAll(supplier, 10, cursor)).externals).toEqual(['two']);
    expect((await followAll(supplier, 10)).externals).toEqual(['one', 'two']);
  });

  it('a slice is one row of the order, however many accounts it creates', async () => {
    const supplier = await aSupplier();
    const externals = Array.from({ length: 40 }, (_, index) => `slice-${index}`);
    const { deps, messages } = await stageSlice(supplier, smallOnes(supplier, ...externals));
    await deliver(deps, messages);
    const results = await readRows('SELECT account_ids FROM account_commits WHERE supplier_id = ?', supplier.supplierId);
    expect(results.length).toBeLessThanOrEqual(messages.length);
    expect((await followAll(supplier, 7)).externals.toSorted()).toEqual(externals.toSorted());
  });

  it('accounts that an earlier release created are listed by the work of the minute, once', async () => {
    const supplier = await aSupplier();
    const old = [await anImportedAccount(supplier, { isListed: false }), await anImportedAccount(supplier, { isListed: false })].map(
      (account) => account.externalAccountNumber,
    );
    expect((await followAll(supplier, 10)).externals).toEqual([]);
    await listUnlisted(aDeps());
    await listUnlisted(aDeps());
    const { externals, cursor } = await followAll(supplier, 10);
    expect(externals).toEqual(old);
    await importAll(supplier, smallOnes(supplier, 'new'));
    await listUnlisted(aDeps());
    expect((await followAll(supplier, 10, cursor)).externals).toEqual(['new']);
  });

  it('what is created after a restore comes after every cursor that was given before', async () => {
    const supplier = await aSupplier();
    await importAll(supplier, smallOnes(supplier, 'lost'));
    const { cursor } = await followAll(supplier, 10);
    // The restore takes the rows of the order back; time goes on, past the clock that ran ahead above.
    await env.DB.prepare('DELETE FROM account_commits').run();
    const deps = aDeps();
    deps.advance(7_200_000);
    await importAll(supplier, smallOnes(supplier, 'created-again'), deps);
    expect((await followAll(supplier, 10, cursor)).externals).toEqual(['created-again']);
  });

  it('is made as it is read, a few accounts at a time', async () => {
    const supplier = await aSupplier();
    const large = (external: string) => ({
      ...aSmallAccount(supplier.code, external),
      notes: Array.from({ length: 9 }, (_, note) => ({ body: `${external} ${note} ${'x'.repeat(90_000)}` })),
    });
    for (const external of ['l1', 'l2', 'l3', 'l4', 'l5', 'l6']) await importAll(supplier, [large(external)]);
    const deps = aDeps();
    let batches = 0;
    const db = Object.assign(Object.create(deps.db), {
      prepare: (sql: string) => deps.db.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        batches++;
        return deps.db.batch(statements);
      },
    });
    const feed = await readFeed({ ...deps, db }, { supplierCode: supplier.code, cursor: { commit: 0, position: 0 }, limit: 1_000 });
    if (feed.kind !== 'feed') throw new Error(feed.kind);
    const before = batches;
    await feed.pieces.next();
    expect(batches).toBe(before + 1);
    const pieces: string[] = [];
    for await (const piece of feed.pieces) pieces.push(piece);
    expect(batches).toBeGreaterThan(before + 2);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(4_000_000);
  });

  it('over all suppliers without a code, and past commits of others with one', async () => {
    const [one, two] = [await aSupplier(), await aSupplier()];
    const { cursor } = await follow({ limit: '1000' });
    await importAll(one, smallOnes(one, 'of-one'));
    await importAll(two, smallOnes(two, 'of-two'));
    expect((await follow({ cursor, limit: '1000' })).externals).toEqual(['of-one', 'of-two']);
    const page = await follow({ import_supplier: two.code, cursor, limit: '1' });
    expect([page.externals, page.hasMore]).toEqual([['of-two'], false]);
    expect((await follow({ import_supplier: one.code, cursor: page.cursor })).externals).toEqual([]);
  });

  it('an account that is not there any more is passed over', async () => {
    const supplier = await aSupplier();
    await importAll(supplier, smallOnes(supplier, 'gone', 'here'));
    await env.DB.prepare(
      `DELETE FROM accounts WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ? AND external_account_number = 'gone')`,
    )
      .bind(supplier.supplierId)
      .run();
    expect((await followAll(supplier, 1)).externals).toEqual(['here']);
  });

  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'none'],
    ['cursor', 'none'],
    ['cursor', ''],
    ['cursor', '1'],
    ['import_supplier', ''],
  ])('%s=%s is 400', async (name, value) => {
    expect(await read(`?${name}=${value}`)).toMatchObject({ status: 400, body: { errors: [{ attr: name, code: 'invalid' }] } });
  });

  it('an unknown supplier is 400', async () => {
    expect(await read('?import_supplier=none')).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'import_supplier', code: 'does_not_exist' }] },
    });
  });
});

describe('the platform token', () => {
  it('opens nothing else, and nothing else opens what it opens', async () => {
    const supplier = await aSupplier();
    for (const headers of [OPERATOR, { Authorization: `Token ${supplier.token}` }, { Authorization: 'Bearer wrong' }])
      for (const path of ['', 'A-0BADCAFE/'])
        expect(await read(path, headers)).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    expect(await read('', {})).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect((await read('', {})).headers.get('WWW-Authenticate')).toBe('Bearer');
    for (const path of ['/operator/v1/suppliers/', '/v2/data-import/import-suppliers/'])
      expect(await call('GET', path, { headers: PLATFORM })).toMatchObject({ status: 401 });
  });

  it('may be replaced without an outage, and is closed where none is set that is long enough', () => {
    const [now, before, short] = ['n'.repeat(32), 'b'.repeat(32), 's'.repeat(31)];
    const ask = (PLATFORM_TOKEN: string, PLATFORM_TOKEN_PREVIOUS: string, token: string) =>
      authenticatePlatform(aDeps({ PLATFORM_TOKEN, PLATFORM_TOKEN_PREVIOUS }), `Bearer ${token}`);
    expect([ask(now, before, now), ask(now, before, before)]).toEqual(['authenticated', 'authenticated']);
    expect([ask(now, '', before), ask(short, '', short), ask('', '', ''), ask('', '', 'undefined')]).toEqual(
      Array.from({ length: 4 }, () => 'authentication_failed'),
    );
  });

  it('guessing is throttled by client address, and a good token is taken all the same', async () => {
    const address = { 'CF-Connecting-IP': anAddress() };
    const statuses: number[] = [];
    for (let guess = 0; guess < 40; guess++) statuses.push((await read('', { ...address, Authorization: 'Bearer wrong' })).status);
    expect(statuses.at(-1)).toBe(429);
    expect(await read('A-0BADCAFE/', { ...address, ...PLATFORM })).toMatchObject({ status: 404 });
  });
});
