import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { commit, query } from '../../src/db';
import type { Deps } from '../../src/deps';
import { type KnownProcesses, knownProcesses, processesOfCaller, type StagedAccount, stageAccounts } from '../../src/import-processes';
import { stagingBatch } from '../../src/import-processes/stage/store';
import type { Supplier } from '../../src/suppliers';
import { databaseAround, lostConnection } from '../support/around';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { aSupplierWith } from '../support/suppliers';
import { readRow, readRows } from '../support/tables';

const deps = aDeps();

const supplierOf = (given: GivenSupplier, version = 1): Supplier => ({
  id: given.supplierId,
  organisationId: given.organisationId,
  code: given.code,
  name: given.code,
  status: 'Ongoing',
  version,
  configuration: aSupplierWith().configuration,
});

const account = (externalAccountNumber: string, content: string): StagedAccount => {
  const body = JSON.stringify({ external_account_number: externalAccountNumber, content });
  return {
    externalAccountNumber,
    payloadHash: `hash of ${content}`,
    body,
    bodyBytes: Buffer.byteLength(body),
    isDryRun: false,
    windowStart: undefined,
    windowEnd: undefined,
    documents: 0,
  };
};

const stageBy = (by: Deps, given: GivenSupplier, accounts: readonly StagedAccount[], version = 1, known?: KnownProcesses) => {
  const supplier = supplierOf(given, version);
  const creates = accounts.map((one) => ({ kind: 'right', supplier, account: one }) as const);
  return stageAccounts(by, given, creates, (stored, sent) => stored === sent, known);
};
const stage = (given: GivenSupplier, accounts: readonly StagedAccount[], version = 1) => stageBy(deps, given, accounts, version);

/** A network that keeps back each batch that makes processes, or replaces what they hold, and answers its sender that it is lost. */
function aNetwork(keepsBack: 'insert' | 'update') {
  const late: (() => Promise<unknown>)[] = [];
  const db = databaseAround(env.DB, ({ what }, run) => {
    if (!what.includes(`${keepsBack} import_processes`)) return run();
    late.push(run);
    return Promise.reject(lostConnection());
  });
  const bringLate = async (): Promise<number> => {
    for (const bring of late) await bring().catch(() => {});
    return late.length;
  };
  return { deps: { ...deps, databaseOf: () => db }, bringLate };
}

async function rowsOf(given: GivenSupplier) {
  const results = await readRows<{ id: number; number: string; status: number; body: string }>(
    `SELECT p.id, p.external_account_number AS number, p.status, y.body FROM import_processes p LEFT JOIN payloads y ON y.id = p.id
     WHERE p.supplier_id = ? ORDER BY p.id`,
    given.supplierId,
  );
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
    await deps.backgroundDone();
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
    await env.DB.prepare('UPDATE import_processes SET attempts = 5, claim = 7, lease_until = 8 WHERE supplier_id = ?')
      .bind(given.supplierId)
      .run();
    await new Promise((resume) => setTimeout(resume, 5));
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
    const [row] = await rowsOf(given);
    expect(row).toMatchObject({ status: 0 });
    const anew = await readRow('SELECT attempts, claim, lease_until, error, finished_at FROM import_processes WHERE id = ?', row?.id);
    expect(anew).toEqual({ attempts: 0, claim: null, lease_until: null, error: null, finished_at: null });
    const events = await readRows('SELECT event FROM import_process_events WHERE process_id = ?', row?.id);
    expect(events).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });

  it('says that a process was scheduled again even in the moment in which it was first created', async () => {
    const given = await aSupplier();
    const at = Date.now();
    const stageAt = (content: string) => stageBy({ ...deps, now: () => at }, given, [account('a', content)]);
    await stageAt('1');
    await finish(given, 'a', 5);
    expect(await stageAt('2')).toEqual([{ kind: 'scheduled' }]);
    const [row] = await rowsOf(given);
    const events = await readRows('SELECT event FROM import_process_events WHERE process_id = ?', row?.id);
    expect(events).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });

  it('replaces what was staged in this very moment', async () => {
    const given = await aSupplier();
    const at = Date.now();
    const stageAt = (content: string) => stageBy({ ...deps, now: () => at }, given, [account('a', content)]);
    for (const content of ['1', '2', '1', '1']) {
      expect(await stageAt(content)).toEqual([{ kind: 'scheduled' }]);
      const [row] = await rowsOf(given);
      expect(JSON.parse(row?.body ?? '').content).toBe(content);
    }
  });

  describe('whose answer was lost, so that it is tried once more', () => {
    /** Each batch that stores takes effect; its first answer is lost, and something happens until the next try. */
    function aLossy(meanwhile: () => Promise<unknown> = async () => {}) {
      const by = aDeps();
      let lost = 0;
      const db = databaseAround(env.DB, async ({ what }, run) => {
        const results = await run();
        if (!/(?:insert|update) import_processes/.test(what) || lost++ > 0) return results;
        await meanwhile();
        throw lostConnection();
      });
      return { ...by, databaseOf: () => db };
    }

    it.each([undefined, 0, 3])('is answered as it was decided, and sent, status %s before', async (status) => {
      const given = await aSupplier();
      if (status !== undefined) await stage(given, [account('a', 'before')]);
      if (status) await finish(given, 'a', status);
      const by = aLossy();
      const dry = { ...account('a', 'dry'), isDryRun: true };
      const answers = status === 0 ? ['in_progress', 'scheduled'] : ['scheduled', 'scheduled'];
      expect((await stageBy(by, given, [dry, account('a', 'real')])).map(({ kind }) => kind)).toEqual(answers);
      const [row] = await rowsOf(given);
      expect(JSON.parse(row?.body ?? '').content).toBe('real');
      await by.backgroundDone();
      expect(by.sent.map(({ process_ids }) => process_ids)).toEqual([[row?.id]]);
    });

    it('is acknowledged although the supplier was paused meanwhile: it is stored', async () => {
      const given = await aSupplier();
      const pause = () => env.DB.prepare(`UPDATE suppliers SET status = 'Paused', version = 2 WHERE id = ?`).bind(given.supplierId).run();
      expect(await stageBy(aLossy(pause), given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
      expect(await rowsOf(given)).toHaveLength(1);
    });
  });

  // Whatever the clock of its isolate says, and whatever it found when it was sent.
  const found = [undefined, 0, 3, 4];
  const then = [0, 3, 4];
  const cases = [0, 5_000, -5_000].flatMap((ahead) => found.flatMap((before) => then.map((after) => ({ ahead, before, after }))));
  it.each(cases)('does not let a create that was kept back undo a later one: %o', async ({ ahead, before, after }) => {
    const given = await aSupplier();
    if (before !== undefined) await stage(given, [account('a', 'earliest')]);
    if (before) await finish(given, 'a', before);
    const network = aNetwork(before === undefined ? 'insert' : 'update');
    const heldBack = stageBy({ ...network.deps, now: () => Date.now() + ahead }, given, [account('a', 'earlier')]);
    await expect(heldBack).rejects.toThrow('Network connection lost');
    expect(await stage(given, [account('a', 'later')])).toEqual([{ kind: 'scheduled' }]);
    if (after !== 0) await finish(given, 'a', after);
    const [row] = await rowsOf(given);
    const events = () => readRows('SELECT * FROM import_process_events WHERE process_id = ?', row?.id);
    const reported = await events();
    expect(await network.bringLate()).toBeGreaterThan(0);
    expect((await rowsOf(given)).map(({ status, body }) => [status, JSON.parse(body).content])).toEqual([[after, 'later']]);
    expect(await events()).toEqual(reported);
  });

  it.each([
    ['its status', 0, 'status = 4'],
    ['its payload', 0, "payload_hash = 'another'"],
    ['its payload, once it ended', 3, "payload_hash = 'another'"],
    ['the moment of its last change', 3, 'modified_at = modified_at + 1'],
    ['the moment of its last change, by a clock that is behind', 3, 'modified_at = modified_at - 1'],
    ['its status, to an end', 3, 'status = 5'],
  ])('does not let a create that was kept back undo what changed nothing but %s', async (_, before, change) => {
    const given = await aSupplier();
    await stage(given, [account('a', 'earlier')]);
    await finish(given, 'a', before);
    const network = aNetwork('update');
    await expect(stageBy(network.deps, given, [account('a', 'later')])).rejects.toThrow('Network connection lost');
    await env.DB.prepare(`UPDATE import_processes SET ${change} WHERE supplier_id = ?`).bind(given.supplierId).run();
    const process = () => readRow('SELECT * FROM import_processes WHERE supplier_id = ?', given.supplierId);
    const [row, body] = [await process(), await rowsOf(given)];
    expect(await network.bringLate()).toBe(3);
    expect(await process()).toEqual(row);
    expect(await rowsOf(given)).toEqual(body);
  });

  it('never lets a dry run take the place of a real import that waits, whoever asks for it', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', 'real')]);
    const [replaced] = await query(env.DB, processesOfCaller(given, [{ supplierCode: given.code, externalAccountNumber: 'a' }]));
    const write = {
      supplierId: given.supplierId,
      account: { ...account('a', 'dry'), isDryRun: true },
      replaced,
      at: Date.now(),
      sentAt: 0,
    };
    const slice = { writes: [write], reads: [], bodies: [], suppliers: new Map([[given.supplierId, 1]]), now: Date.now() };
    const [held, existing, ...touched] = await commit(env.DB, stagingBatch(slice, given));
    expect([held.length, existing, touched.flat()]).toEqual([1, [replaced], []]);
    expect((await rowsOf(given)).map(({ body }) => JSON.parse(body).content)).toEqual(['real']);
  });

  it('takes what was kept back, and reports it once, where nothing happened since', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', 'earlier')]);
    await finish(given, 'a', 3);
    const network = aNetwork('update');
    await expect(stageBy(network.deps, given, [account('a', 'later')])).rejects.toThrow('Network connection lost');
    // Each of its tries arrives.
    expect(await network.bringLate()).toBe(3);
    const [row] = await rowsOf(given);
    expect([row?.status, JSON.parse(row?.body ?? '').content]).toEqual([0, 'later']);
    const events = await readRows('SELECT event FROM import_process_events WHERE process_id = ?', row?.id);
    expect(events).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
    expect(await stage(given, [account('a', 'later')])).toEqual([{ kind: 'scheduled' }]);
  });

  it('reports an imported account by its number and stores nothing', async () => {
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

  it.each([1, 2])('leaves what retention has cut as it is where the very payload comes again, status %i', async (status) => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', status);
    const [row] = await rowsOf(given);
    await env.DB.prepare(`UPDATE payloads SET body = '{"content":"cut"}', reduced_at = 5 WHERE id = ?`).bind(row?.id).run();
    await stage(given, [account('a', '1')]);
    const kept = await readRow('SELECT body, reduced_at FROM payloads WHERE id = ?', row?.id);
    expect(kept).toEqual({ body: '{"content":"cut"}', reduced_at: 5 });
  });

  it('writes the body anew where the very payload is scheduled again after retention has cut it', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', 4);
    const [row] = await rowsOf(given);
    for (const cut of [row?.body, '']) {
      await env.DB.prepare('UPDATE payloads SET body = ?2, reduced_at = 5 WHERE id = ?1').bind(row?.id, cut).run();
      await finish(given, 'a', 4);
      expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
      const kept = await readRow('SELECT body, reduced_at FROM payloads WHERE id = ?', row?.id);
      expect(kept).toEqual({ body: row?.body, reduced_at: null });
    }
  });

  it('reads the processes of the caller’s own suppliers only, and only while the key is in force', async () => {
    const [given, stranger] = [await aSupplier(), await aSupplier()];
    await stage(given, [account('a', '1')]);
    const read = (caller: GivenSupplier) =>
      query(env.DB, processesOfCaller(caller, [{ supplierCode: given.code, externalAccountNumber: 'a' }]));
    expect(await read(given)).toHaveLength(1);
    expect(await read(stranger)).toEqual([]);
    expect(await read({ ...stranger, apiKeyId: given.apiKeyId })).toEqual([]);
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await read(given)).toEqual([]);
  });

  it('lets a process IN_PROGRESS be, and distinguishes the same payload from another', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', 1);
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'scheduled' }]);
    expect(await stage(given, [account('a', '2')])).toEqual([{ kind: 'in_progress' }]);
    expect((await rowsOf(given)).map(({ status, body }) => [status, JSON.parse(body).content])).toEqual([[1, '1']]);
  });

  it('compares large payloads with what runs a few at a time', async () => {
    const given = await aSupplier();
    const numbers = Array.from({ length: 9 }, (_, i) => `n${i}`);
    const large = (number: string, form: string) => ({ ...account(number, form.padEnd(1_000_000, 'x')), payloadHash: form });
    for (const number of numbers) {
      await stage(given, [large(number, 'sent')]);
      await finish(given, number, 1);
    }
    const read: number[] = [];
    const db = databaseAround(env.DB, async (_, run) => {
      const results = await run();
      const rows = Array.isArray(results) ? results.flatMap(({ results: some }: D1Result<{ body?: string }>) => some) : [];
      read.push(rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0));
      return results;
    });
    const supplier = supplierOf(given);
    const creates = numbers.map(
      (number) => ({ kind: 'right', supplier, account: large(number, number === 'n5' ? 'other' : 'form') }) as const,
    );
    const isSame = (stored: string, sent: string): boolean => stored.includes('"sent') && sent.includes('"form');
    const outcomes = await stageAccounts({ ...deps, databaseOf: () => db }, given, creates, isSame);
    expect(outcomes.map(({ kind }) => kind)).toEqual(numbers.map((number) => (number === 'n5' ? 'in_progress' : 'scheduled')));
    expect(Math.max(...read)).toBeLessThanOrEqual(4 * 1_048_576);
    expect(read.filter((bytes) => bytes > 0)).toHaveLength(3);
  });

  it('stores nothing on an old validation: supplier changed, paused, or key revoked', async () => {
    const given = await aSupplier();
    expect(await stage(given, [account('a', '1')], 2)).toEqual([{ kind: 'decided_on_old_state' }]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE id = ?`).bind(given.supplierId).run();
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'decided_on_old_state' }]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Ongoing' WHERE id = ?`).bind(given.supplierId).run();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'decided_on_old_state' }]);
    expect(await rowsOf(given)).toEqual([]);
  });

  const changes = {
    paused: `UPDATE suppliers SET status = 'Paused' WHERE id = ?1`,
    changed: 'UPDATE suppliers SET version = version + 1 WHERE id = ?1',
    revoked: 'UPDATE api_keys SET revoked_at = 1 WHERE organisation_id = (SELECT organisation_id FROM suppliers WHERE id = ?1)',
    'of another organisation': `UPDATE suppliers SET organisation_id = 'org_other' WHERE id = ?1`,
  };
  const refusals = Object.entries(changes).flatMap(([what, sql]) => [0, 1, 2, 3].map((status) => ({ what, status, sql })));
  it.each(refusals)('replaces nothing, and reports nothing, on an old validation: $what since, status $status', async ({ status, sql }) => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    await finish(given, 'a', status);
    const known = knownProcesses(await query(env.DB, processesOfCaller(given, [{ supplierCode: given.code, externalAccountNumber: 'a' }])));
    await env.DB.prepare(sql).bind(given.supplierId).run();
    const before = await readRows('SELECT * FROM import_processes WHERE supplier_id = ?', given.supplierId);
    // Of what is to be stored the facts are asked once more; without a look before that, of everything.
    for (const looked of status === 0 || status === 3 ? [known, undefined] : [undefined])
      expect(await stageBy(deps, given, [account('a', '2')], 1, looked)).toEqual([{ kind: 'decided_on_old_state' }]);
    expect(await stage(given, [account('a', '1')])).toEqual([{ kind: 'decided_on_old_state' }]);
    const after = await readRows('SELECT * FROM import_processes WHERE supplier_id = ?', given.supplierId);
    expect(after).toEqual(before);
    expect((await rowsOf(given)).map(({ body }) => JSON.parse(body).content)).toEqual(['1']);
  });

  it('makes one process of twenty parallel creates of one pair', async () => {
    const given = await aSupplier();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => stage(given, [account('a', String(i % 2))])));
    expect(new Set(outcomes.flat().map(({ kind }) => kind))).toEqual(new Set(['scheduled']));
    expect(await rowsOf(given)).toHaveLength(1);
  });

  it('takes each of twenty parallel creates with a payload of its own, and keeps one of them', async () => {
    const given = await aSupplier();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => stage(given, [account('a', String(i))])));
    expect(outcomes.flat()).toEqual(Array(20).fill({ kind: 'scheduled' }));
    expect(await rowsOf(given)).toHaveLength(1);
  });

  it('sends what was stored even if what comes after it in the slice fails', async () => {
    const given = await aSupplier();
    await stage(given, [account('a', '1')]);
    const by = aDeps();
    const network = aNetwork('update');
    const failing = { ...by, databaseOf: network.deps.databaseOf };
    await expect(stageBy(failing, given, [account('a', '2'), account('b', '1')])).rejects.toThrow('Network connection lost');
    await by.backgroundDone();
    const [, b] = await rowsOf(given);
    expect(by.sent.flatMap(({ process_ids }) => process_ids)).toEqual([b?.id]);
  });

  it('keeps what was sent to the last character', async () => {
    const given = await aSupplier();
    const content = 'ünï ✓ 𝒞 "quoted" \\ \u0007 123456789012345678901234567890';
    const body = `{"big": 123456789012345678901234567890, "content": ${JSON.stringify(content)}}`;
    await stage(given, [{ ...account('ä/ "', content), body, bodyBytes: Buffer.byteLength(body) }]);
    const [row] = await rowsOf(given);
    expect(row?.number).toBe('ä/ "');
    expect(row?.body).toContain('123456789012345678901234567890');
    expect(JSON.parse(row?.body ?? '').content).toBe(content);
  });
});
