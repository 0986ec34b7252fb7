/**
 * A restore takes the database back to an earlier moment. Account numbers that were handed out since then are with importers and
 * platforms already: none of them may be given to another account.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { BYTES_OF_AN_ID } from '../../src/operator/restores/rules';
import { mintApiKey } from '../../src/tokens';
import { databaseAround } from '../support/around';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, stageSlice, statusesOf } from '../support/importing';
import { OPERATOR } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';
import { type Bookmark, bookmark, deployed, finish, restore } from '../support/time-travel';
import { callWith } from '../support/trouble';

const MAX_ID = 0xffffffff;
const LATER = { task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } };

/** Imports accounts and answers their numbers, in order. */
async function imported(given: GivenSupplier, numbers: readonly string[], settings: object = {}): Promise<string[]> {
  const { messages } = await stage(
    given,
    numbers.map((number) => aSmallAccount(given.code, number)),
    aDeps(settings),
  );
  await deliver(aDeps(settings), messages);
  const results = await readRows<{ number: string }>(
    `SELECT p.account_number AS number FROM json_each(?2) j JOIN import_processes p ON p.external_account_number = j.value
     WHERE p.supplier_id = ?1 AND p.status = 2 ORDER BY p.id`,
    given.supplierId,
    JSON.stringify(numbers),
  );
  if (results.length !== numbers.length) throw new Error(`${results.length} of ${numbers.length} were imported`);
  return results.map(({ number }) => number);
}

const lastId = async () => (await readRow<{ id: number }>('SELECT max(id) AS id FROM payloads'))?.id ?? 0;

let [one, other] = [{} as GivenSupplier, {} as GivenSupplier];
let [before, restoredTo] = [new Map() as Bookmark, ''];
/** Handed out after the bookmark, and lost with the restore. */
let lost: string[] = [];

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM restores').run();
  [one, other] = [await aSupplier(), await aSupplier()];
  await imported(one, ['early']);
  before = await bookmark();
  await new Promise((resume) => setTimeout(resume, 5));
  restoredTo = new Date().toISOString();
  await new Promise((resume) => setTimeout(resume, 5));
  lost = await imported(one, ['a', 'b', 'c']);
  expect(lost).toHaveLength(3);
});

describe('a restore', () => {
  it('alone hands account numbers out again, to another organisation', async () => {
    await restore(before);
    expect(await imported(other, ['x', 'y', 'z'])).toEqual(lost);
  });

  it('that was brought to its end hands none out again, keeps ids in commit order and below 2^32', async () => {
    await restore(before);
    expect((await finish({ restored_to: restoredTo })).status).toBe(200);
    const first = await imported(other, ['x', 'y', 'z'], deployed(1));
    const second = await imported(one, ['a', 'b', 'c'], deployed(1));
    const third = await imported(other, ['w'], deployed(1));
    const all = [...lost, ...first, ...second, ...third];
    expect(new Set(all).size).toBe(all.length);
    const results = await readRows<{ id: number; number: string }>(
      'SELECT id, external_account_number AS number FROM import_processes WHERE supplier_id IN (?, ?) ORDER BY id',
      one.supplierId,
      other.supplierId,
    );
    expect(results.map(({ number }) => number)).toEqual(['early', 'x', 'y', 'z', 'a', 'b', 'c', 'w']);
    expect(results.at(-1)?.id).toBeLessThanOrEqual(MAX_ID);
  });

  it('twice, the second to a moment before the first was brought to its end, hands none out again either', async () => {
    await restore(before);
    await finish({ restored_to: restoredTo });
    lost.push(...(await imported(other, ['x', 'y', 'z'], deployed(1))));
    await restore(before);
    const twice = deployed(2);
    expect((await finish({ restored_to: restoredTo }, twice)).status).toBe(200);
    const after = await imported(one, ['d', 'e', 'f', 'g'], twice);
    expect(new Set([...lost, ...after]).size).toBe(lost.length + after.length);
  });

  it('with the last id that was noted before skips little more than what was lost', async () => {
    const noted = await lastId();
    await restore(before);
    const answer = await finish({ restored_to: restoredTo, last_id: noted });
    expect(answer.status).toBe(200);
    expect(await lastId()).toBeGreaterThan(noted);
    expect(await lastId()).toBeLessThan(noted + 200_000);
    const after = await imported(other, ['x', 'y', 'z'], deployed(1));
    expect(new Set([...lost, ...after]).size).toBe(6);
  });

  it('imports what was pending then under the number it was to have', async () => {
    const { deps, messages } = await stage(one, [aSmallAccount(one.code, 'waiting')]);
    before = await bookmark();
    restoredTo = new Date().toISOString();
    await deliver(deps, messages);
    const numberOf = async () =>
      (
        await readRow<{ number: string | null }>(
          "SELECT account_number AS number FROM import_processes WHERE supplier_id = ? AND external_account_number = 'waiting'",
          one.supplierId,
        )
      )?.number;
    const reported = await numberOf();
    await restore(before);
    await finish({ restored_to: restoredTo });
    expect(await numberOf()).toBeNull();
    await deliver(aDeps(deployed(1)), messages);
    expect(await numberOf()).toBe(reported);
  });

  it('leaves messages behind that name what is no more: they are acknowledged and touch nobody', async () => {
    const { messages } = await stage(one, [aSmallAccount(one.code, 'd'), aSmallAccount(one.code, 'e')]);
    await restore(before);
    await finish({ restored_to: restoredTo });
    await stage(one, [aSmallAccount(one.code, 'f')], aDeps(deployed(1)));
    const untouched = [await statusesOf(one), await rowsOf(one)];
    for (const queue of ['account-imports', 'account-imports-dead-letters'])
      expect(await deliver(aDeps(deployed(1)), messages, { queue })).toEqual({ acked: ['m0', 'm1'], retried: [] });
    expect([await statusesOf(one), await rowsOf(one)]).toEqual(untouched);
  });

  it('makes no refresh token good again that was spent since', async () => {
    const { secret, hash } = mintApiKey();
    await env.DB.prepare('UPDATE api_keys SET hash = ? WHERE id = ?').bind(hash, one.apiKeyId).run();
    const obtain = async (input: string) => {
      const body = { query: `mutation { obtainPlatformToken(input: { ${input} }) { token refreshToken } }` };
      return (await callWith(deployed(1), 'POST', '/v1/graphql/', { body })).text;
    };
    const refreshToken = /"refreshToken":"([^"]+)"/.exec(await obtain(`APIKey: "${secret}"`))?.[1];
    before = await bookmark();
    restoredTo = new Date().toISOString();
    expect(await obtain(`refreshToken: "${refreshToken}"`)).toContain('"token"');
    await restore(before);
    await finish({ restored_to: restoredTo });
    expect(await obtain(`refreshToken: "${refreshToken}"`)).toContain('PT-CT-1135');
    expect(await obtain(`APIKey: "${secret}"`)).toContain('"token"');
  });

  it('leaves no isolate with a supplier as it was before, although its version has come around again', async () => {
    const DB = databaseAround(env.DB, (_, run) => run());
    const configure = (configuration: object) =>
      callWith({ DB }, 'PATCH', `/operator/v1/suppliers/${one.code}/`, { headers: OPERATOR, body: { configuration } });
    const create = (number: string, settings: object) => {
      const transaction = { transaction_id: 'T', transaction_date: '2026-01-01', amount: 1, type: 'CHARGE', reason: 'OURS' };
      const body = { ...aSmallAccount(one.code, number), current_statement_transactions: [transaction], ...LATER };
      return callWith({ DB, ...settings }, 'POST', '/v2/data-import/accounts/', { token: one.token, body });
    };
    await configure({ extra_charge_reasons: ['OURS'] });
    expect((await create('remembered', {})).status).toBe(201);
    await restore(before);
    await configure({ extra_charge_reasons: ['THEIRS'] });
    await finish({ restored_to: restoredTo });
    expect((await create('new', { DATABASE_EPOCH: '1' })).status).toBe(400);
  });

  it('makes no token of a key that was made since good: the key is no more', async () => {
    const late = await aSupplier();
    await restore(before);
    await finish({ restored_to: restoredTo });
    const path = `/v1/data-import/all-account-import-processes/${one.code}/`;
    expect((await callWith(deployed(1), 'GET', path, { token: late.token })).status).toBe(401);
    expect((await callWith(deployed(1), 'GET', path, { token: one.token })).status).toBe(200);
  });
});

it('an id leaves at least so many bytes behind that its database cannot hold more of them than are skipped', async () => {
  const given = await aSupplier();
  const bytes = async () => (await env.DB.prepare('SELECT 1').all()).meta.size_after;
  const size = await bytes();
  for (let slice = 0; slice < 8; slice++) {
    const bodies = Array.from({ length: 500 }, (_, i) => ({ import_supplier: given.code, external_account_number: `${slice}${i}` }));
    await stageSlice(given, bodies);
  }
  // What retention leaves of the shortest one: cancelled, its payload emptied.
  await env.DB.batch([
    env.DB.prepare("UPDATE payloads SET body = '' WHERE id IN (SELECT id FROM import_processes WHERE supplier_id = ?)").bind(
      given.supplierId,
    ),
    env.DB.prepare('UPDATE import_processes SET status = 4 WHERE supplier_id = ?').bind(given.supplierId),
  ]);
  expect(((await bytes()) - size) / 4_000).toBeGreaterThan(BYTES_OF_AN_ID);
});
