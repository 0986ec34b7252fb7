import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import worker from '../../src/worker';
import { countingDatabase } from '../support/counting';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const PATH = '/v2/data-import/accounts/bulk/';

async function post(given: Pick<GivenSupplier, 'token'>, body: BodyInit, query = '', headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`https://import.test${PATH}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}`, ...headers },
    body,
  });
  const text = new TextDecoder().decode(await response.arrayBuffer());
  checkAnswer('POST', PATH, { status: response.status, headers: response.headers, text });
  const lines = response.status === 200 ? text.split('\n').filter((line) => line !== '') : [];
  return { status: response.status, text, results: lines.map((line): unknown => JSON.parse(line)), headers: response.headers };
}
const ndjson = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
const accounts = (given: GivenSupplier, count: number, prefix = 'B') =>
  Array.from({ length: count }, (_, i) => aSmallAccount(given.code, `${prefix}-${i}`));

async function processes(given: GivenSupplier) {
  const results = await readRows<{ number: string; status: number; body: string }>(
    `SELECT p.external_account_number AS number, p.status, y.body FROM import_processes p JOIN payloads y ON y.id = p.id
     WHERE p.supplier_id = ? ORDER BY p.id`,
    given.supplierId,
  );
  return results;
}

describe('200', () => {
  it('schedules each good line, reports each bad one, in order, and ends with a line that says it is whole', async () => {
    const given = await aSupplier();
    const [a, b, c] = accounts(given, 3);
    const bad = { ...b, account_type: 'CASTLE', billing_email: 'x' };
    const { status, results, headers } = await post(given, `${ndjson([a, bad, '{"broken"', '', '[]', c])}\n`);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(results).toEqual([
      { line: 1, external_account_number: 'B-0', status: 'SCHEDULED' },
      {
        line: 2,
        external_account_number: 'B-1',
        status: 'INVALID',
        errors: [
          { attr: 'account_type', code: 'invalid_choice', detail: expect.any(String) },
          { attr: 'billing_email', code: 'invalid_email', detail: expect.any(String) },
        ],
      },
      { line: 3, status: 'INVALID', errors: [{ attr: '', code: 'parse_error', detail: expect.any(String) }] },
      { line: 5, status: 'INVALID', errors: [{ attr: '', code: 'invalid', detail: expect.any(String) }] },
      { line: 6, external_account_number: 'B-2', status: 'SCHEDULED' },
      { done: true, lines: 6 },
    ]);
    expect((await processes(given)).map(({ number }) => number)).toEqual(['B-0', 'B-2']);
  });

  it('brings every account of several slices to PROCESSED, each with its own payload', async () => {
    const given = await aSupplier();
    const { results } = await post(given, ndjson(accounts(given, 1_234)));
    expect(results).toHaveLength(1_235);
    expect(results.at(-1)).toEqual({ done: true, lines: 1_234 });
    await vi.waitFor(async () => expect(new Set((await processes(given)).map(({ status }) => status))).toEqual(new Set([2])), {
      timeout: 30_000,
      interval: 200,
    });
    const stored = await processes(given);
    expect(stored.map(({ number }) => number)).toEqual(Array.from({ length: 1_234 }, (_, i) => `B-${i}`));
    expect(stored.every(({ number, body }) => JSON.parse(body).external_account_number === number)).toBe(true);
    const created = await readRow('SELECT count(*) AS n FROM accounts WHERE supplier_id = ?', given.supplierId);
    expect(created).toEqual({ n: 1_234 });
  });

  it('doubles nothing when the same lines are sent again', async () => {
    const given = await aSupplier();
    const body = ndjson(accounts(given, 20));
    const [first, again] = [await post(given, body), await post(given, body)];
    expect(again.results.map((result) => ({ ...Object(result), status: '' }))).toEqual(
      first.results.map((result) => ({ ...Object(result), status: '' })),
    );
    expect(await processes(given)).toHaveLength(20);
  });

  it('validates a pair that comes twice as two creates, the later one winning', async () => {
    const given = await aSupplier();
    const [a] = accounts(given, 1);
    const { results } = await post(
      given,
      ndjson([
        { ...a, task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } },
        { ...a, billing_name: 'Later', task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } },
      ]),
    );
    expect(results.map((result) => Object(result).status)).toEqual(['SCHEDULED', 'SCHEDULED', undefined]);
    const [only, ...more] = await processes(given);
    expect(more).toEqual([]);
    expect(JSON.parse(only?.body ?? '').billing_name).toBe('Later');
  });

  it('only validates on mode=validate', async () => {
    const given = await aSupplier();
    const [a, b] = accounts(given, 2);
    const { results } = await post(given, ndjson([a, { ...b, customers: [{}] }]), '?mode=validate');
    expect(results).toMatchObject([
      { line: 1, status: 'VALID' },
      { line: 2, status: 'INVALID', errors: [{ attr: 'customers.0.non_field_errors', code: 'required' }] },
      { done: true },
    ]);
    expect(await processes(given)).toEqual([]);
  });

  it('reports imported accounts and those being processed, and unknown, foreign and paused suppliers as a create does', async () => {
    const [given, paused, foreign] = [await aSupplier(), await aSupplier(), await aSupplier()];
    await env.DB.prepare(`UPDATE suppliers SET organisation_id = ?, status = 'Paused' WHERE id = ?`)
      .bind(given.organisationId, paused.supplierId)
      .run();
    const [a, b] = accounts(given, 2);
    await post(
      given,
      ndjson([
        { ...a, task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } },
        { ...b, task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } },
      ]),
    );
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE import_processes SET status = 2, account_number = 'A-00000001' WHERE supplier_id = ? AND external_account_number = 'B-0'`,
      ).bind(given.supplierId),
      env.DB.prepare(`UPDATE import_processes SET status = 1 WHERE supplier_id = ? AND external_account_number = 'B-1'`).bind(
        given.supplierId,
      ),
    ]);
    const { results } = await post(given, ndjson([a, b, ...['NONE', foreign.code, paused.code].map((code) => aSmallAccount(code, 'X'))]));
    expect(results).toMatchObject([
      { status: 'ALREADY_IMPORTED', account_id: 'A-00000001' },
      { status: 'IN_PROGRESS' },
      { status: 'INVALID', errors: [{ attr: 'import_supplier', code: 'does_not_exist' }] },
      { status: 'INVALID', errors: [{ attr: 'import_supplier', code: 'does_not_exist' }] },
      { status: 'INVALID', errors: [{ attr: 'import_supplier', code: 'import_supplier_paused' }] },
      { done: true, lines: 5 },
    ]);
  });

  it('answers what it has while the sender waits, and goes on with what comes after', async () => {
    const given = await aSupplier();
    const [a, b] = accounts(given, 2);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    const answering = exports.default.fetch(`https://import.test${PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
      body: readable,
    });
    const write = (text: string) => writer.write(encoder.encode(text));
    const writing = write(`${JSON.stringify(a)}\n`);
    const response = await answering;
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(JSON.parse(first)).toEqual({ line: 1, external_account_number: 'B-0', status: 'SCHEDULED' });
    await writing;
    const text = JSON.stringify(b);
    await Promise.all([
      write(text.slice(0, 50))
        .then(() => write(text.slice(50)))
        .then(() => writer.close()),
      (async () => {
        let rest = '';
        for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
          rest += new TextDecoder().decode(chunk.value);
        expect(
          rest
            .trim()
            .split('\n')
            .map((line): unknown => JSON.parse(line)),
        ).toEqual([
          { line: 2, external_account_number: 'B-1', status: 'SCHEDULED' },
          { done: true, lines: 2 },
        ]);
      })(),
    ]);
  });

  it('reports lines that are too long, not UTF-8 or beyond 10,000 by themselves', async () => {
    const given = await aSupplier();
    const [a] = accounts(given, 1);
    const long = JSON.stringify({ ...a, padding: 'x'.repeat(1_048_576) });
    const body = new Blob([`${long}\n`, new Uint8Array([0x22, 0xff, 0x22]), `\n${JSON.stringify(a)}\n`, '1\n'.repeat(9_998)]);
    const { results } = await post(given, await body.arrayBuffer(), '?mode=validate');
    expect(results.slice(0, 4)).toMatchObject([
      { line: 1, status: 'INVALID', errors: [{ code: 'payload_too_large' }] },
      { line: 2, status: 'INVALID', errors: [{ code: 'parse_error' }] },
      { line: 3, status: 'VALID' },
      { line: 4, status: 'INVALID', errors: [{ attr: '', code: 'invalid' }] },
    ]);
    expect(results.slice(-2)).toMatchObject([
      { line: 10_000, errors: [{ code: 'invalid' }] },
      { line: 10_001, status: 'INVALID', errors: [{ attr: '', code: 'max_length' }] },
    ]);
  });

  it('reads the suppliers of a slice in one trip, however many are named', async () => {
    const given = await aSupplier();
    const sibling = await aSupplier({ organisationId: given.organisationId });
    const codes = [...Array.from({ length: 400 }, (_, i) => `nobody-${i}`), given.code, sibling.code];
    const counts = countingDatabase(env.DB);
    const context = createExecutionContext();
    const response = await worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(`https://import.test${PATH}?mode=validate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
        body: ndjson(codes.map((code, i) => ({ import_supplier: code, external_account_number: `n${i}` }))),
      }),
      { ...env, DB: counts.db },
      context,
    );
    const lines = new TextDecoder()
      .decode(await response.arrayBuffer())
      .trim()
      .split('\n');
    await waitOnExecutionContext(context);
    const statuses = Map.groupBy(lines.slice(0, -1), (line) => JSON.parse(line).status);
    expect([statuses.get('VALID')?.length, statuses.get('INVALID')?.length]).toEqual([2, 400]);
    // One more validates the key before anything of the body is read.
    expect(counts.trips).toBeLessThanOrEqual(2);
  });

  it('refuses an account whose numbers grow beyond the limit when they are written out, as a create does, and stores nothing', async () => {
    const given = await aSupplier();
    const [a, b] = accounts(given, 2);
    const grown = JSON.stringify({ ...a, payment_instructions: [{ vendor: 'V', type: 'CUSTOM' }], numbers: 'NUMBERS' }).replace(
      '"NUMBERS"',
      `{${Array.from({ length: 80_000 }, (_, i) => `"${i.toString(36)}":1e20`).join(',')}}`,
    );
    expect((await post(given, ndjson([grown, b]))).results).toMatchObject([
      { line: 1, status: 'INVALID', errors: [{ attr: '', code: 'payload_too_large' }] },
      { line: 2, status: 'SCHEDULED' },
      { done: true, lines: 2 },
    ]);
    expect(await call('POST', '/v2/data-import/accounts/', { token: given.token, body: grown })).toMatchObject({
      status: 400,
      body: { code: 'import_process_failed_validation' },
    });
    expect((await processes(given)).map(({ number }) => number)).toEqual(['B-1']);
  });

  it.each([
    ['', 0],
    ['\n', 1],
    ['\n \t\r\n', 2],
    ['\n ', 2],
    ['\n'.repeat(30_000), 30_000],
  ])('is one closing line for a body without accounts, with the number of its last line: %#', async (body, lines) => {
    const given = await aSupplier();
    expect((await post(given, body)).results).toEqual([{ done: true, lines }]);
  });

  it('counts blank lines in the numbers, not against the limit', async () => {
    const given = await aSupplier();
    const { results } = await post(given, '1\n\n'.repeat(10_000), '?mode=validate');
    expect(results).toHaveLength(10_001);
    expect(results.slice(-2)).toMatchObject([
      { line: 19_999, status: 'INVALID' },
      { done: true, lines: 20_000 },
    ]);
  });

  it('ends at the 10,001st line, looks at none behind it, and does not say that it is whole', async () => {
    const given = await aSupplier();
    const { results, status } = await post(given, `${'1\n'.repeat(10_000)}${ndjson(accounts(given, 3))}`);
    expect(status).toBe(200);
    expect(results).toHaveLength(10_001);
    expect(results.at(-1)).toMatchObject({ line: 10_001, status: 'INVALID', errors: [{ attr: '', code: 'max_length' }] });
    expect(await processes(given)).toEqual([]);
  });
});

describe('400, 401, 413 and 415', () => {
  it('names a bad mode', async () => {
    expect(await post(await aSupplier(), '', '?mode=both')).toMatchObject({ status: 400, text: expect.stringContaining('"attr":"mode"') });
  });

  it('wants a token in force before anything else', async () => {
    const given = await aSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect((await post(given, '{}')).status).toBe(401);
    expect((await post(given, '{}', '', { 'Content-Type': 'text/plain' })).status).toBe(401);
    expect((await call('POST', PATH, { body: '{}' })).status).toBe(401);
  });

  it('takes NDJSON only, and at most 64 MiB', async () => {
    const given = await aSupplier();
    for (const [headers, detail] of [
      [{ 'Content-Type': 'application/json' }, 'Unsupported media type: send application/x-ndjson.'],
      [{ 'Content-Type': 'application/x-ndjson; charset=latin1' }, 'Unsupported charset: send UTF-8.'],
      [{ 'Content-Encoding': 'br' }, 'Unsupported content encoding: send the body in gzip or without Content-Encoding.'],
    ] as const) {
      const { status, text } = await post(given, '{}', '', headers);
      expect([status, JSON.parse(text)]).toEqual([415, { detail, code: 'unsupported_media_type' }]);
    }
    expect((await post(given, '{}', '', { 'Content-Length': String(64 * 1_048_576 + 1) })).status).toBe(413);
  });
});
