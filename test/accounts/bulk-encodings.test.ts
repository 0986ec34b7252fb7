/** How the lines of a bulk request come: under which media types, and in gzip (§4.6, ours). */

import { exports } from 'cloudflare:workers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { aSmallAccount } from '../support/payloads';
import { readValue } from '../support/tables';

const PATH = '/v2/data-import/accounts/bulk/';

async function post(given: GivenSupplier, body: BodyInit, headers: Record<string, string> = {}, query = '') {
  const response = await exports.default.fetch(`https://import.test${PATH}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}`, ...headers },
    body,
  });
  const text = new TextDecoder().decode(await response.arrayBuffer());
  checkAnswer('POST', PATH, { status: response.status, headers: response.headers, text });
  const lines = text.split('\n').filter((line) => line !== '');
  return { status: response.status, results: lines.map((line): unknown => JSON.parse(line)) };
}

const GZIP = { 'Content-Encoding': 'gzip' };
const linesOf = (given: GivenSupplier, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify(aSmallAccount(given.code, `Z-${from + i}`))}\n`).join('');

const stored = async (given: GivenSupplier): Promise<number> =>
  (await readValue<number>('n', 'SELECT count(*) AS n FROM import_processes WHERE supplier_id = ?', given.supplierId)) ?? 0;

describe('media types', () => {
  it.each(['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'Application/JSONL; charset=utf-8'])(
    'of lines: %s is taken',
    async (type) => {
      const given = await aSupplier();
      const { status, results } = await post(given, linesOf(given, 2), { 'Content-Type': type });
      expect([status, results.at(-1)]).toEqual([200, { done: true, lines: 2 }]);
    },
  );

  it.each(['application/json', 'text/plain', 'application/jsonlines', ''])('of anything else: %s is 415', async (type) => {
    const given = await aSupplier();
    expect((await post(given, linesOf(given, 1), { 'Content-Type': type })).status).toBe(415);
  });
});

describe('gzip', () => {
  it('is read like the lines that come out of it', async () => {
    const given = await aSupplier();
    const { status, results } = await post(given, gzipSync(`${linesOf(given, 700)}\n{"broken"\n`), GZIP);
    expect(status).toBe(200);
    expect(results).toHaveLength(702);
    expect(results.slice(-3)).toMatchObject([
      { line: 700, external_account_number: 'Z-699', status: 'SCHEDULED' },
      { line: 702, status: 'INVALID', errors: [{ code: 'parse_error' }] },
      { done: true, lines: 702 },
    ]);
    expect(await stored(given)).toBe(700);
  });

  it.each(['gzip', 'GZIP', 'x-gzip'])('goes by the name %s', async (name) => {
    const given = await aSupplier();
    expect((await post(given, gzipSync(linesOf(given, 1)), { 'Content-Encoding': name })).results).toHaveLength(2);
  });

  it('may be several members in a row, as files put together are', async () => {
    const given = await aSupplier();
    const [a, b] = [gzipSync(linesOf(given, 2)), gzipSync(linesOf(given, 2, 2))];
    expect((await post(given, new Blob([a, b]), GZIP)).results.at(-1)).toEqual({ done: true, lines: 4 });
    expect(await stored(given)).toBe(4);
  });

  it('is answered while it is still coming', async () => {
    const given = await aSupplier();
    const bytes = gzipSync(linesOf(given, 3));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}`, ...GZIP };
    const answering = exports.default.fetch(`https://import.test${PATH}`, { method: 'POST', headers, body: readable });
    // All but the checksum: every line has come out.
    const writing = writer.write(bytes.subarray(0, -8));
    const response = await answering;
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first.trim().split('\n')).toHaveLength(3);
    await writing;
    void writer.write(bytes.subarray(-8)).then(() => writer.close());
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"done":true,"lines":3}\n');
  });

  it.each<[string, (whole: Buffer) => Uint8Array]>([
    ['no gzip at all', (whole) => gunzipSync(whole)],
    ['nothing', () => new Uint8Array()],
    ['cut in the middle', (whole) => whole.subarray(0, whole.length / 2)],
    ['without its checksum', (whole) => whole.subarray(0, -8)],
    ['with a wrong checksum', (whole) => Uint8Array.from(whole, (byte, i) => (i === whole.length - 6 ? byte ^ 1 : byte))],
    ['followed by something else', (whole) => new Uint8Array(Buffer.concat([whole, Buffer.from('more')]))],
  ])('that is broken (%s) is 400 `parse_error`, and nothing is stored', async (_, broken) => {
    const given = await aSupplier();
    const { status, results } = await post(given, broken(gzipSync(linesOf(given, 20))), GZIP);
    expect([status, results]).toEqual([400, [{ code: 'parse_error', detail: expect.any(String) }]]);
    expect(await stored(given)).toBe(0);
  });

  it('that breaks after something was answered ends the answer without its last line', async () => {
    const given = await aSupplier();
    const whole = gzipSync(linesOf(given, 1_200));
    const { status, results } = await post(
      given,
      Uint8Array.from(whole, (byte, i) => (i === whole.length - 6 ? byte ^ 1 : byte)),
      GZIP,
    );
    expect(status).toBe(200);
    expect(results.length).toBeGreaterThanOrEqual(500);
    expect(results.every((result) => Object(result).status === 'SCHEDULED')).toBe(true);
    expect(await stored(given)).toBe(results.length);
  });

  it('of more than 64 MiB ends there, however small it is', { timeout: 60_000 }, async () => {
    const given = await aSupplier();
    const bomb = gzipSync(Buffer.alloc(65 * 1_048_576, '\n'));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await post(given, bomb, GZIP)).status).toBe(413);
    const after = await post(given, gzipSync(Buffer.concat([Buffer.from(linesOf(given, 600)), Buffer.alloc(65 * 1_048_576, '\n')])), GZIP);
    expect([after.status, after.results.length, Object(after.results.at(-1)).done]).toEqual([200, 500, undefined]);
  });

  it('is for bulk alone: elsewhere an encoding is 415, and so is another one here', async () => {
    const given = await aSupplier();
    const account = aSmallAccount(given.code, 'Z');
    expect((await call('POST', '/v2/data-import/accounts/', { token: given.token, body: account, headers: GZIP })).status).toBe(415);
    for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip']) {
      expect((await post(given, linesOf(given, 1), { 'Content-Encoding': encoding })).status).toBe(415);
    }
    expect((await post(given, linesOf(given, 1), { 'Content-Encoding': 'identity' })).status).toBe(200);
  });
});
