/** Bulk: every slice is validated by the key and the suppliers as they are then, however long the request goes on. */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { countingDatabase } from '../support/counting';
import { aSupplier, type GivenSupplier } from '../support/given';
import { rowsOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { callWith } from '../support/trouble';

/** A request whose lines are sent after the answer to those before: what is asked together is a slice of its own. The first answer is given. */
async function talk(given: GivenSupplier, mode: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const answering = exports.default.fetch(`https://import.test/v2/data-import/accounts/bulk/?mode=${mode}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
    body: readable,
  });
  let answers: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const read = async (): Promise<string> => {
    answers ??= (await answering).body?.getReader();
    const chunk = await answers?.read();
    return new TextDecoder().decode(chunk?.value);
  };
  return {
    async ask(...lines: readonly object[]): Promise<{ status: string; errors?: { attr: string; code: string }[] }> {
      const writing = writer.write(encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      const answer = await read();
      await writing;
      return JSON.parse(answer.split('\n')[0] ?? '');
    },
    async end(): Promise<string> {
      const [, rest] = await Promise.all([writer.close(), read()]);
      return rest;
    },
  };
}

const become = (given: GivenSupplier, status: string) =>
  env.DB.prepare('UPDATE suppliers SET status = ?, version = version + 1 WHERE id = ?').bind(status, given.supplierId).run();
const revoke = (given: GivenSupplier) =>
  env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?').bind(Date.now(), given.apiKeyId).run();

const lineOf = (given: GivenSupplier, number: string, over: object = {}) => ({
  ...aSmallAccount(given.code, number),
  task_params: { schedule_window_start: '2099-01-01T00:00:00Z' },
  ...over,
});
const WRONG = { account_type: 'CASTLE' };

describe.each([
  ['validate', 'VALID'],
  ['create', 'SCHEDULED'],
])('between two slices of mode=%s', (mode, good) => {
  it.each([
    ['a right line', {}],
    ['a wrong line', WRONG],
  ])('the key is revoked: %s reports nothing any more, and nothing is stored', async (_, over) => {
    const given = await aSupplier();
    const bulk = await talk(given, mode);
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: good });
    const before = await rowsOf(given);
    await revoke(given);
    expect(await bulk.ask(lineOf(given, 'second', over))).toEqual({ line: 2, external_account_number: 'second', status: 'FAILED' });
    expect(await bulk.end()).toContain('"done":true');
    expect(await rowsOf(given)).toEqual(before);
  });

  it.each([
    ['Paused', 'import_supplier_paused'],
    ['Complete', 'import_supplier_complete'],
  ])('the supplier becomes %s: the later lines say so, right or wrong', async (status, code) => {
    const given = await aSupplier();
    const bulk = await talk(given, mode);
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: good });
    const before = await rowsOf(given);
    await become(given, status);
    expect(await bulk.ask(lineOf(given, 'second', WRONG))).toMatchObject({
      status: 'INVALID',
      errors: [{ code }, { attr: 'account_type', code: 'invalid_choice' }],
    });
    expect(await bulk.ask(lineOf(given, 'third'))).toMatchObject({ status: 'INVALID', errors: [{ attr: 'import_supplier', code }] });
    await become(given, 'Ongoing');
    expect(await bulk.ask(lineOf(given, 'fourth'))).toMatchObject({ status: good });
    await bulk.end();
    expect((await rowsOf(given)).processes).toBe(before.processes + (mode === 'create' ? 1 : 0));
  });

  it.each([
    ['the same line', 'first', {}],
    ['another line', 'second', {}],
    ['a wrong line', 'third', WRONG],
  ])('the supplier becomes Paused: %s says so beside lines of a supplier that is new to the request', async (_, number, over) => {
    const given = await aSupplier();
    const sibling = await aSupplier({ organisationId: given.organisationId });
    const bulk = await talk(given, mode);
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: good });
    await become(given, 'Paused');
    expect(await bulk.ask(lineOf(given, number, over), lineOf(sibling, 'x'))).toMatchObject({
      status: 'INVALID',
      errors: expect.arrayContaining([expect.objectContaining({ code: 'import_supplier_paused' })]),
    });
    await bulk.end();
  });

  it('the supplier’s settings change: the later lines are validated by the new ones, right or wrong', async () => {
    const given = await aSupplier();
    const bulk = await talk(given, mode);
    const french = { customers: [{ given_name: 'Zoé', mobile: '06 12 34 56 78' }] };
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: good });
    await env.DB.prepare(
      `UPDATE suppliers SET configuration = json_set(configuration, '$.default_country', 'FR'), version = version + 1 WHERE id = ?`,
    )
      .bind(given.supplierId)
      .run();
    expect(await bulk.ask(lineOf(given, 'second', french))).toMatchObject({ status: good });
    expect(await bulk.ask(lineOf(given, 'third'))).toMatchObject({ status: 'INVALID', errors: [{ code: 'invalid_phone_number' }] });
    await bulk.end();
  });

  it('the supplier goes to another organisation: the later lines know nothing of it', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const bulk = await talk(given, mode);
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: good });
    await env.DB.prepare('UPDATE suppliers SET organisation_id = ? WHERE id = ?').bind(other.organisationId, given.supplierId).run();
    expect(await bulk.ask(lineOf(given, 'first'))).toMatchObject({ status: 'INVALID', errors: [{ code: 'does_not_exist' }] });
    await bulk.end();
  });
});

/** One whole request. `between` runs before each of its trips, given their numbers from 1: the first asks for the key. */
function atOnce(given: GivenSupplier, mode: string, lines: readonly object[], between: (trip: number) => Promise<void>) {
  return callWith({ DB: countingDatabase(env.DB, between).db }, 'POST', `/v2/data-import/accounts/bulk/?mode=${mode}`, {
    token: given.token,
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
}

describe('the key is revoked while the first lines are worked on', () => {
  it.each([
    ['validate', 'before the supplier is read', 2],
    ['create', 'before the supplier is read', 2],
    ['create', 'before the accounts are stored', 3],
  ])('mode=%s, %s: 401 as for any request, nothing is stored, and no error is logged', async (mode, _, at) => {
    const given = await aSupplier();
    const before = await rowsOf(given);
    const logged = vi.spyOn(console, 'error');
    const lines = [lineOf(given, 'first'), lineOf(given, 'second', WRONG), lineOf(given, 'third')];
    const answer = await atOnce(given, mode, lines, async (trip) => void (trip === at && (await revoke(given))));
    expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
    expect(await rowsOf(given)).toEqual(before);
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it('what was stored before is answered so, and the other lines are FAILED', async () => {
    const given = await aSupplier();
    const sibling = await aSupplier({ organisationId: given.organisationId });
    const answer = await atOnce(given, 'create', [lineOf(given, 'first'), lineOf(sibling, 'second')], async (trip) => {
      if (trip === 3) await become(sibling, 'Ongoing');
      if (trip === 4) await revoke(given);
    });
    expect(answer.status).toBe(200);
    const [first, second, end] = answer.text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(first).toEqual({ line: 1, external_account_number: 'first', status: 'SCHEDULED' });
    expect(second).toEqual({ line: 2, external_account_number: 'second', status: 'FAILED' });
    expect(end).toEqual({ done: true, lines: 2 });
    expect([(await rowsOf(given)).processes, (await rowsOf(sibling)).processes]).toEqual([1, 0]);
  });
});
