import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type StagedAccount, stageAccounts } from '../../src/import-processes';
import type { Supplier } from '../../src/suppliers';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { aJudgedSupplier } from '../support/suppliers';

const deps = aDeps();

const supplierOf = (given: GivenSupplier, version = 1): Supplier => ({
  id: given.supplierId,
  organisationId: given.organisationId,
  code: given.code,
  name: given.code,
  status: 'Ongoing',
  version,
  configuration: aJudgedSupplier().configuration,
});

const account = (externalAccountNumber: string, content: string): StagedAccount => {
  const body = JSON.stringify({ external_account_number: externalAccountNumber, content });
  return {
    externalAccountNumber,
    payloadHash: `hash of ${content}`,
    body,
    bodyBytes: body.length,
    isDryRun: false,
    windowStart: undefined,
    windowEnd: undefined,
    documents: 0,
  };
};

const stage = (given: GivenSupplier, accounts: readonly StagedAccount[], version = 1) =>
  stageAccounts(deps, accounts, supplierOf(given, version), given);

async function rowsOf(given: GivenSupplier) {
  const { results } = await env.DB.prepare(
    `SELECT p.id, p.external_account_number AS number, p.status, y.body FROM import_processes p LEFT JOIN payloads y ON y.id = p.id
     WHERE p.supplier_id = ? ORDER BY p.id`,
  )
    .bind(given.supplierId)
    .all<{ id: number; number: string; status: number; body: string }>();
  return results;
}

const finish = (given: GivenSupplier, number: string, status: number) =>
  env.DB.prepare(
    'UPDATE import_processes SET status = ?3, account_number = iif(?3 = 2, ?4, NULL), finished_at = 5 WHERE supplier_id = ?1 AND external_account_number = ?2',
  )
    .bind(given.supplierId, number, status, 'A-12345678')
    .run();

describe('staging a slice', () => {
  it('keeps each account with its own payload, in order, and names all of them in one message', async () => {
    const given = await aSupplier();
    const outcomes = await stage(given, [account('a', '1'), account('b', '2'), account('c', '3')]);
    expect(outcomes).toEqual([{ kind: 'scheduled' }, { kind: 'scheduled' }, { kind: 'scheduled' }]);
    const rows = await rowsOf(given);
    expect(rows.map(({ number, status, body }) => [number, status, JSON.parse(body).content])).toEqual([
      ['a', 0, '1'],
      ['b', 0, '2'],
      ['c', 0, '3'],
    ]);
    await deps.settled();
    expect(deps.sent.filter((message) => message.supplier_id === given.supplierId)).toEqual([
      { v: 1, supplier_id: given.supplierId, process_ids: rows.map(({ id }) => id), sent_at: expect.any(Number) },
    ]);
  });

  it('gives ids in commit order across suppliers and never twice', async () => {
    const [one, other] = [await aSupplier(), await aSupplier()];
    await stage(one, [account('a', '1')]);
    await stage(other, [account('a', '1'), account('b', '1')]);
    await stage(one, [account('b', '1')]);
    const [first, last] = (await rowsOf(one)).map(({ id }) => id);
    const between = (await rowsOf(other)).map(({ id }) => id);
    expect([first, ...between, last]).toEqual([first, first, first, first].map((id, i) => (id ?? 0) + i));
  });

  it('replaces the payload of a PENDING process, and changes nothing for the same one', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    const [before] = await rowsOf(given);
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
    expect(await rowsOf(given)).toEqual([before]);
    expect(await stage(given, [account('new', '1'), account('a', '2')])).toEqual([{ kind: 'scheduled' }, { kind: 'scheduled' }]);
    const after = await rowsOf(given);
    expect(after.map(({ number, body }) => [number, JSON.parse(body).content])).toEqual([
      ['a', '2'],
      ['new', '1'],
    ]);
    expect(after[0]?.id).toBe(before?.id);
  });

  it.each([3, 4, 5, 6])('schedules a process of status %i again, with a new CREATED event and no error', async (status) => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', status);
    await new Promise((resume) => setTimeout(resume, 5));
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
    const [row] = await rowsOf(given);
    expect(row).toMatchObject({ status: 0 });
    const events = await env.DB.prepare('SELECT event FROM import_process_events WHERE process_id = ?').bind(row?.id).all();
    expect(events.results).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });

  it('tells that a process was scheduled again even in the moment in which it was first created', async () => {
    const given = await aSupplier();
    const at = Date.now();
    const stageAt = (content: string) => stageAccounts({ ...deps, now: () => at }, [account('a', content)], supplierOf(given), given);
    await stageAt('1');
    await finish(given, 'a', 5);
    expect(await stageAt('2')).toEqual([{ kind: 'scheduled' }]);
    const [row] = await rowsOf(given);
    const events = await env.DB.prepare('SELECT event FROM import_process_events WHERE process_id = ?').bind(row?.id).all();
    expect(events.results).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });

  it.each([0, 3])('does not let a create that was kept back undo a later one, status %i', async (status) => {
    const given = await aSupplier();
    const judgedAt = Date.now();
    await stageAccounts({ ...deps, now: () => judgedAt + 1_000 }, [account('a', 'later')], supplierOf(given), given);
    if (status !== 0) await finish(given, 'a', status);
    const keptBack = stageAccounts({ ...deps, now: () => judgedAt }, [account('a', 'earlier')], supplierOf(given), given);
    expect(await keptBack).toEqual([{ kind: 'judged_on_old_facts' }]);
    expect((await rowsOf(given)).map((row) => [row.status, JSON.parse(row.body).content])).toEqual([[status, 'later']]);
  });

  it('tells an imported account by its number and stores nothing', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', 2);
    expect(await stage(given, [account('a', '2'), account('b', '1')])).toEqual([
      { kind: 'already_imported', accountNumber: 'A-12345678' },
      { kind: 'scheduled' },
    ]);
    expect((await rowsOf(given)).map(({ number, status, body }) => [number, status, JSON.parse(body).content])).toEqual([
      ['a', 2, '1'],
      ['b', 0, '1'],
    ]);
  });

  it('lets a process IN_PROGRESS be, and tells the same payload from another', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', 1);
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
    expect(await stage(given, [account('a', '2')])).toEqual([{ kind: 'in_progress' }]);
    expect((await rowsOf(given)).map(({ status, body }) => [status, JSON.parse(body).content])).toEqual([[1, '1']]);
  });

  it('stores nothing on an old judgement: supplier changed, paused, or key revoked', async () => {
    const given = await aSupplier();
    expect(await stage(given, [account('a', '1')], 2)).toEqual([{ kind: 'judged_on_old_facts' }]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE id = ?`).bind(given.supplierId).run();
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'judged_on_old_facts' }]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Ongoing' WHERE id = ?`).bind(given.supplierId).run();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'judged_on_old_facts' }]);
    expect(await rowsOf(given)).toEqual([]);
  });

  it('makes one process of twenty parallel creates of one pair', async () => {
    const given = await aSupplier();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => stage(given, [account('a', String(i % 2))])));
    expect(new Set(outcomes.flat().map(({ kind }) => kind))).toEqual(new Set(['scheduled']));
    expect(await rowsOf(given)).toHaveLength(1);
  });

  it('keeps what was sent to the last character', async () => {
    const given = await aSupplier();
    const content = 'ünï ✓ 𝒞 "quoted" \\ \u0007 123456789012345678901234567890';
    await stage(given, [
      { ...account('ä/ "', content), body: `{"big": 123456789012345678901234567890, "content": ${JSON.stringify(content)}}` },
    ]);
    const [row] = await rowsOf(given);
    expect(row?.number).toBe('ä/ "');
    expect(row?.body).toContain('123456789012345678901234567890');
    expect(JSON.parse(row?.body ?? '').content).toBe(content);
  });
});
