import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { describe, expect, it, vi } from 'vitest';
import worker from '../../src/worker';
import { faultyDatabase } from '../support/faults';
import { aSupplier, call, type GivenSupplier } from '../support/given';

const KINDS = ['all', 'pending', 'imported'] as const;
type Kind = (typeof KINDS)[number];
const pathOf = (kind: Kind, code: string) => `/v1/data-import/${kind}-account-import-processes/${encodeURIComponent(code)}/`;
const list = (given: GivenSupplier, kind: Kind, query = '') => call('GET', pathOf(kind, given.code) + query, { token: given.token });

const FINISHED_AT = Date.UTC(2026, 0, 31, 9, 30, 0, 7);
const STATUSES = [0, 1, 2, 3, 4, 5, 6];

/** Processes of the given statuses, in order, one statement for all. */
async function someProcesses(given: GivenSupplier, statuses: readonly number[], prefix = 'EXT') {
  const rows = JSON.stringify(
    statuses.map((status, i) => [`${prefix}-${i}`, status, status === 2 ? `A-${String(i).padStart(8, '0')}` : null]),
  );
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, finished_at, modified_at, attempts, account_number)
       SELECT ?2, (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, value ->> 0, value ->> 1, '', 2, 0, 1, 1, 1, ?3, 1, 1, value ->> 2
       FROM json_each(?1)`,
    ).bind(rows, given.supplierId, FINISHED_AT),
    env.DB.prepare(
      `INSERT INTO payloads (id, body) SELECT (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, '{}' FROM json_each(?1)`,
    ).bind(rows),
  ]);
}
const itemOf = (status: number, i: number, prefix = 'EXT') => ({
  external_account_number: `${prefix}-${i}`,
  platform_account_number: status === 2 ? `A-${String(i).padStart(8, '0')}` : null,
  account_created_at: status === 2 ? '2026-01-31T09:30:00.007Z' : null,
});
const isListed = (kind: Kind, status: number) => kind === 'all' || (kind === 'imported') === (status === 2);

/** Follows `Link` headers to the end. */
async function allPages(given: GivenSupplier, kind: Kind, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let path: string | undefined = `${pathOf(kind, given.code)}?limit=${limit}`;
  while (path !== undefined) {
    const answer = await call('GET', path, { token: given.token });
    expect(answer.status).toBe(200);
    if (Array.isArray(answer.body)) pages.push(answer.body);
    const url: string | undefined = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
    path = url === undefined ? undefined : new URL(url).pathname + new URL(url).search;
  }
  return pages;
}

describe.each(KINDS)('200 of the %s list', (kind) => {
  it('holds processes of each state where they belong, in the order of their first create', async () => {
    const given = await aSupplier();
    const statuses = [...STATUSES, ...STATUSES.toReversed()];
    await someProcesses(given, statuses);
    const { status, body } = await list(given, kind);
    expect(status).toBe(200);
    expect(body).toEqual(statuses.flatMap((state, i) => (isListed(kind, state) ? [itemOf(state, i)] : [])));
  });

  it('is an empty array for a supplier without processes', async () => {
    const given = await aSupplier();
    expect(await list(given, kind)).toMatchObject({ status: 200, body: [] });
  });

  it('is whole past the size of its pages', async () => {
    const given = await aSupplier();
    const statuses = Array.from({ length: 4_500 }, (_, i) => STATUSES[i % 7] ?? 0);
    await someProcesses(given, statuses);
    const { body } = await list(given, kind);
    expect(body).toEqual(statuses.flatMap((state, i) => (isListed(kind, state) ? [itemOf(state, i)] : [])));
  });

  it('gives each item exactly once in pages, whatever their size', async () => {
    const given = await aSupplier();
    const statuses = Array.from({ length: 60 }, (_, i) => (i < 20 ? 2 : (STATUSES[i % 7] ?? 0)));
    await someProcesses(given, statuses, 'ä/ ,"');
    const expected = statuses.flatMap((state, i) => (isListed(kind, state) ? [itemOf(state, i, 'ä/ ,"')] : []));
    for (const limit of [1, 7, expected.length, expected.length + 1, 10_000]) {
      const pages = await allPages(given, kind, limit);
      expect(pages.flat()).toEqual(expected);
      expect(pages.every((page) => page.length > 0 && page.length <= limit)).toBe(true);
    }
  });

  it('carries on after the account that the cursor names, in pages of 1,000 where no limit is given', async () => {
    const given = await aSupplier();
    const state = kind === 'imported' ? 2 : 0;
    await someProcesses(
      given,
      Array.from({ length: 1_002 }, () => state),
      'ü/',
    );
    const cursor = Buffer.from('ü/-0').toString('base64url');
    const { body, headers } = await list(given, kind, `?cursor=${cursor}`);
    expect(body).toEqual(Array.from({ length: 1_000 }, (_, i) => itemOf(state, i + 1, 'ü/')));
    const next = Buffer.from('ü/-1000').toString('base64url');
    expect(headers.get('Link')).toMatch(new RegExp(`[?&]cursor=${next}[&>].*rel="next"$`));
  });

  it('does not parse where it was cut, because its bracket comes after the last page', async () => {
    const given = await aSupplier();
    await someProcesses(
      given,
      Array.from({ length: 450 }, () => (kind === 'imported' ? 2 : 0)),
    );
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failing = faultyDatabase(env.DB, (trip) => (trip > 1 ? 'before' : undefined));
    const response = await worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(`https://import.test${pathOf(kind, given.code)}`, {
        headers: { Authorization: `Token ${given.token}` },
      }),
      { ...env, DB: failing.db },
      createExecutionContext(),
    );
    const reader = response.body?.getReader();
    let text = '';
    const reading = (async () => {
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
        text += new TextDecoder().decode(chunk.value);
    })();
    await expect(reading).rejects.toThrow('the answer was cut');
    log.mockRestore();
    expect([response.status, text.match(/external_account_number/g)?.length]).toEqual([200, 200]);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('shows nothing of other suppliers', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    await someProcesses(other, STATUSES, 'OTHER');
    await someProcesses(given, [0, 2]);
    const { body } = await list(given, kind);
    expect(JSON.stringify(body)).not.toContain('OTHER');
  });
});

describe.each(KINDS)('400 of the %s list', (kind) => {
  it.each(['0', '-1', '10001', 'x', '1.5', ''])('names the parameter of limit=%s', async (limit) => {
    const given = await aSupplier();
    expect(await list(given, kind, `?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: [{ attr: 'limit', code: 'invalid' }] },
    });
  });

  it('refuses a cursor that names nothing of this supplier, and names all bad parameters at once', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    await someProcesses(other, [0, 0], 'OTHER');
    const foreign = btoa('OTHER-0').replaceAll('=', '');
    for (const cursor of [foreign, 'AAAA', '!', '%00', 'a']) {
      expect(await list(given, kind, `?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { errors: [{ attr: 'cursor', code: 'invalid' }] },
      });
    }
    expect(await list(given, kind, '?limit=x&cursor=!')).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'limit' }, { attr: 'cursor' }] },
    });
  });
});

describe.each(KINDS)('401 and 404 of the %s list', (kind) => {
  it('reports an unknown supplier and another organisation alike', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const unknown = await call('GET', pathOf(kind, 'NO-SUCH'), { token: given.token });
    const foreign = await call('GET', pathOf(kind, other.code), { token: given.token });
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'Not found.', code: 'not_found' } });
    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.status).toBe(404);
  });

  it('reports a revoked key before anything else', async () => {
    const given = await aSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await list(given, kind)).toMatchObject({ status: 401 });
    expect(await list(given, kind, '?limit=x')).toMatchObject({ status: 401 });
    expect(await call('GET', pathOf(kind, given.code))).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  });
});

describe('a list under concurrent imports', () => {
  it('gives every account that was there from the start exactly once, and none twice', async () => {
    const given = await aSupplier();
    await someProcesses(
      given,
      Array.from({ length: 50 }, () => 0),
      'FIRST',
    );
    const seen: string[] = [];
    let path: string | undefined = `${pathOf('all', given.code)}?limit=7`;
    for (let round = 0; path !== undefined; round++) {
      const answer = await call('GET', path, { token: given.token });
      seen.push(...[...JSON.stringify(answer.body).matchAll(/"external_account_number":"([^"]+)"/g)].map(([, number = '']) => number));
      if (round < 5)
        await someProcesses(
          given,
          Array.from({ length: 3 }, () => 0),
          `ROUND${round}`,
        );
      await env.DB.prepare(
        `UPDATE import_processes SET status = 2, account_number = 'A-' || id, finished_at = ? WHERE supplier_id = ? AND id % 3 = 0`,
      )
        .bind(Date.now(), given.supplierId)
        .run();
      const url: string | undefined = /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      path = url === undefined ? undefined : new URL(url).pathname + new URL(url).search;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(50 + 5 * 3);
  });
});
