/** Operator interface: the end of a restore of the database, and what is held up until then. */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSupplier, type GivenSupplier } from '../support/given';
import { stageSlice } from '../support/importing';
import { auditOf, OPERATOR } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';
import { type Bookmark, bookmark, deployed, finish, restore } from '../support/time-travel';
import { callWith } from '../support/trouble';

const lastId = async () => (await readRow<{ id: number }>('SELECT max(id) AS id FROM payloads'))?.id ?? 0;

const createAs = (given: GivenSupplier, number: string, settings: object) =>
  callWith(settings, 'POST', '/v2/data-import/accounts/', {
    token: given.token,
    body: { ...aSmallAccount(given.code, number), task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } },
  });

let one = {} as GivenSupplier;
let [before, restoredTo] = [new Map() as Bookmark, ''];

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM restores').run();
  await env.DB.prepare("DELETE FROM audit_entries WHERE subject = 'database'").run();
  one = await aSupplier();
  await stageSlice(one, [aSmallAccount(one.code, 'early')]);
  before = await bookmark();
  restoredTo = new Date().toISOString();
  await stageSlice(one, [aSmallAccount(one.code, 'lost')]);
});

describe('while a restore is not brought to its end', () => {
  it('no account is staged, before it and after it, and everything else goes on', async () => {
    const closed = [await createAs(one, 'n', deployed(1))];
    await restore(before);
    closed.push(await createAs(one, 'n', deployed(1)));
    expect(closed.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
      [503, 'service_unavailable'],
      [503, 'service_unavailable'],
    ]);
    const path = `/v1/data-import/all-account-import-processes/${one.code}/`;
    expect((await callWith(deployed(1), 'GET', path, { token: one.token })).status).toBe(200);
    expect((await callWith(deployed(1), 'GET', '/operator/v1/queue/', { headers: OPERATOR })).body).toMatchObject({
      takes_new_accounts: false,
    });
    await finish({ restored_to: restoredTo });
    expect((await createAs(one, 'n', deployed(1))).status).toBe(201);
    expect((await callWith(deployed(1), 'GET', '/operator/v1/queue/', { headers: OPERATOR })).body).toMatchObject({
      takes_new_accounts: true,
    });
  });

  it('a Worker of an earlier version still works with the database of a later epoch', async () => {
    await restore(before);
    await finish({ restored_to: restoredTo });
    expect((await createAs(one, 'n', {})).status).toBe(201);
  });
});

describe('POST restores/', () => {
  it('200: answers the epoch and from which id on, is audited, and is done once', async () => {
    await restore(before);
    const answers = await Promise.all([finish({ restored_to: restoredTo }), finish({ restored_to: restoredTo })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [row] = await readRows<{ epoch: number; last_id: number }>('SELECT * FROM restores');
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ epoch: 1, last_id: await lastId() });
    expect(row).toMatchObject({ epoch: 1, last_id: await lastId() });
    expect(await auditOf('database')).toMatchObject([{ action: 'database.restored', after: { epoch: 1, restored_to: restoredTo } }]);
    expect(await finish({ restored_to: restoredTo })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  it('409: this deployment does not ask for an epoch', async () => {
    expect(await finish({ restored_to: restoredTo }, {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('DATABASE_EPOCH') },
    });
  });

  it('409: accounts were staged after that moment, so the database was not restored to it', async () => {
    const answer = await finish({ restored_to: new Date(Date.now() - 3_600_000).toISOString() });
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('staged after') } });
    expect(await readRows('SELECT * FROM restores')).toEqual([]);
  });

  it('409: so few numbers are left that the last id has to be known', async () => {
    await restore(before);
    const high = 0xffffffff - 1_000_000;
    await env.DB.prepare("INSERT INTO payloads (id, body) VALUES (?, '')").bind(high).run();
    expect(await finish({ restored_to: restoredTo })).toMatchObject({ status: 409, body: { detail: expect.stringContaining('last_id') } });
    expect((await finish({ restored_to: restoredTo, last_id: high })).status).toBe(200);
    await restore(before);
  });

  it.each([
    [{}, 'restored_to', 'required'],
    [{ restored_to: 'yesterday' }, 'restored_to', 'invalid_datetime'],
    [{ restored_to: '2999-01-01T00:00:00Z' }, 'restored_to', 'invalid'],
    [{ restored_to: '2026-01-01T00:00:00Z', last_id: -1 }, 'last_id', 'min_value'],
  ])('400: %j', async (body, attr, code) => {
    expect(await finish(body)).toMatchObject({ status: 400, body: { errors: [{ attr, code }] } });
  });
});
