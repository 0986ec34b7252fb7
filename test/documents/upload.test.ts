/** §4.17: documents are stored whole, verified and never replaced. */

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { addressOf, announced, DOCUMENTS, keysUnder, md5, put, sha256, textAt } from '../support/documents';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';

const MIB = 1_048_576;
const etagOf = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('hex');

afterEach(() => vi.restoreAllMocks());

/** Sends to a service whose bucket or rest is another one. */
async function putThrough(given: GivenSupplier, path: string, body: BodyInit, headers: Record<string, string>, bucket: Partial<R2Bucket>) {
  const documents: R2Bucket = new Proxy(env.DOCUMENTS, {
    get: (target, name) => Reflect.get(bucket, name) ?? Reflect.get(target, name).bind(target),
  });
  const app = appOf((bindings, context) => ({
    ...depsFrom(bindings, context),
    documents,
    log: { info: () => undefined, error: () => undefined },
  }));
  const response = await app.fetch(
    new Request(`https://import.test${addressOf(given.code, path)}`, {
      method: 'PUT',
      headers: { Authorization: `Token ${given.token}`, ...headers },
      body,
    }),
    env,
    createExecutionContext(),
  );
  const text = await response.text();
  checkAnswer('PUT', addressOf(given.code, path), { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

describe('201', () => {
  it('stores a document under the root of its supplier, with its media type', async () => {
    const root = `root-${crypto.randomUUID()}/in`;
    const given = await aSupplier({ configuration: { documents_root: root } });
    const answer = await put(given, 'letters/welcome.pdf', '%PDF-1.4', { headers: { 'Content-Type': 'application/pdf' } });
    expect([answer.status, answer.body]).toEqual([201, { document_path: 'letters/welcome.pdf', size: 8, etag: etagOf('%PDF-1.4') }]);
    const stored = await env.DOCUMENTS.get(`${root}/letters/welcome.pdf`);
    expect([await stored?.text(), stored?.httpMetadata?.contentType]).toEqual(['%PDF-1.4', 'application/pdf']);
    const note = {
      import_supplier: given.code,
      external_account_number: 'A',
      notes: [{ document_paths: [{ document_path: 'letters/welcome.pdf' }] }],
    };
    expect((await call('POST', '/v2/data-import/accounts/validate/', { token: given.token, body: note })).status).toBe(200);
  });

  it('takes an empty document, and one without a media type', async () => {
    const given = await aSupplier();
    expect((await put(given, 'empty.txt', '')).body).toEqual({ document_path: 'empty.txt', size: 0, etag: etagOf('') });
    expect(await textAt(`${given.code}/empty.txt`)).toBe('');
  });

  it.each([
    ['letters/Ünïcödé ñ.pdf', 'letters/Ünïcödé ñ.pdf'],
    ['letters/e\u0301.pdf', 'letters/\u00e9.pdf'],
    ['信/😀 100 %.pdf', '信/😀 100 %.pdf'],
    ['שלום/مرحبا.pdf', 'שלום/مرحبا.pdf'],
    ['q?a#b&c=d+e;f\'g"h~.pdf', 'q?a#b&c=d+e;f\'g"h~.pdf'],
    ['a%2Fb/%25.pdf', 'a%2Fb/%25.pdf'],
    ['constructor/__proto__', 'constructor/__proto__'],
  ])('stores %j as %j', async (path, stored) => {
    const given = await aSupplier();
    expect(await put(given, path, 'x')).toMatchObject({ status: 201, body: { document_path: stored } });
    expect(await keysUnder(`${given.code}/`)).toEqual([`${given.code}/${stored}`]);
  });

  it('reads an encoded slash as a slash, one leading slash and the last one as none', async () => {
    const given = await aSupplier();
    for (const tail of ['a%2Fb%2Fc.pdf', '/a/b/c.pdf', 'a/b/c.pdf/', '%2Fa/b%2fc.pdf']) {
      const { body } = await put(given, `${DOCUMENTS}/${given.code}/${tail}`, 'x');
      expect([tail, body]).toMatchObject([tail, { document_path: 'a/b/c.pdf' }]);
    }
    expect(await keysUnder(`${given.code}/`)).toEqual([`${given.code}/a/b/c.pdf`]);
  });

  it('takes 100 MiB, in parts and with constant memory', async () => {
    const given = await aSupplier();
    const part = new Uint8Array(MIB).fill(7);
    const hash = createHash('sha256');
    for (let i = 0; i < 100; i++) hash.update(part);
    const digest = hash.digest('base64');
    const parts = function* () {
      for (let i = 0; i < 100; i++) yield part.slice();
    };
    const body = announced(100 * MIB, parts());
    const answer = await put(given, 'large.bin', body, {
      headers: { 'Content-Length': String(100 * MIB), 'Repr-Digest': `sha-256=:${digest}:` },
    });
    expect([answer.status, answer.body]).toMatchObject([201, { size: 100 * MIB }]);
    await env.DOCUMENTS.delete(`${given.code}/large.bin`);
  });
});

describe('verified', () => {
  it('digests that are right are taken, others than sha-256 passed over', async () => {
    const given = await aSupplier();
    const headers = [
      { 'Content-MD5': md5('x') },
      { 'Repr-Digest': `sha-256=:${sha256('x')}:` },
      { 'Content-MD5': md5('x'), 'Repr-Digest': `md5=:none:, sha-256=:${sha256('x')}:;p=1, sha-512=:also none:` },
      { 'Repr-Digest': 'sha-512=:none:' },
    ];
    for (const [index, one] of headers.entries()) expect((await put(given, `${index}.pdf`, 'x', { headers: one })).status).toBe(201);
  });

  it.each([
    ['Content-MD5', { 'Content-MD5': md5('y') }],
    ['Repr-Digest', { 'Repr-Digest': `sha-256=:${sha256('y')}:` }],
    ['Repr-Digest', { 'Content-MD5': md5('x'.repeat(300_000)), 'Repr-Digest': `sha-256=:${sha256('y')}:` }],
  ])('400 `digest_mismatch` at %s, nothing is stored', async (attr, headers) => {
    const given = await aSupplier();
    const { status, body } = await put(given, 'a.pdf', 'x'.repeat(300_000), { headers });
    expect([status, body]).toMatchObject([400, { code: 'validation_error', errors: [{ code: 'digest_mismatch', attr }] }]);
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
    expect((await put(given, 'a.pdf', 'z')).status).toBe(201);
  });

  it('400 `invalid` at a digest that is none', async () => {
    const given = await aSupplier();
    const headers = { 'Content-MD5': 'short', 'Repr-Digest': 'sha-256=abc' };
    const { status, body } = await put(given, 'a.pdf', 'x', { headers });
    const errors = ['Content-MD5', 'Repr-Digest'].map((attr) => ({ code: 'invalid', attr, detail: expect.any(String) }));
    expect([status, body]).toMatchObject([400, { errors }]);
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });
});

describe('never replaced', () => {
  it('the same content again is 200, other content 409 `document_already_exists`', async () => {
    const given = await aSupplier();
    const first = await put(given, 'a.pdf', 'one', { headers: { 'Content-Type': 'application/pdf' } });
    const again = await put(given, 'a.pdf', 'one', { headers: { 'Content-Type': 'text/plain' } });
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    for (const other of ['two', 'one!', '']) {
      const { status, body } = await put(given, 'a.pdf', other);
      expect([status, body]).toMatchObject([409, { code: 'document_already_exists' }]);
    }
    const stored = await env.DOCUMENTS.get(`${given.code}/a.pdf`);
    expect([await stored?.text(), stored?.httpMetadata?.contentType]).toEqual(['one', 'application/pdf']);
  });

  it('a digest that does not fit is reported even where the document is there', async () => {
    const given = await aSupplier();
    await put(given, 'a.pdf', 'one');
    expect(await put(given, 'a.pdf', 'one', { headers: { 'Content-MD5': md5('two') } })).toMatchObject({ status: 400 });
  });

  it('of different uploads at the same moment one wins, whole', async () => {
    const given = await aSupplier();
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
    const answers = await Promise.all(contents.map((content) => put(given, 'a.pdf', content)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const winner = contents[answers.findIndex(({ status }) => status === 201)];
    expect((await textAt(`${given.code}/a.pdf`)) === winner).toBe(true);
  });

  it('of equal uploads at the same moment one is 201, the others 200', async () => {
    const given = await aSupplier();
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(given, 'a.pdf', 'x'.repeat(200_000))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  });

  it('another upload that is stored while this one comes in is found by the bucket itself', async () => {
    const given = await aSupplier();
    const body = announced(
      6,
      (async function* () {
        yield new TextEncoder().encode('abc');
        await env.DOCUMENTS.put(`${given.code}/a.pdf`, 'others');
        yield new TextEncoder().encode('def');
      })(),
    );
    const { status } = await put(given, 'a.pdf', body, { headers: { 'Content-Length': '6' } });
    expect([status, await textAt(`${given.code}/a.pdf`)]).toEqual([409, 'others']);
  });

  it('a document that other tools have stored in several parts is compared by its content', async () => {
    const given = await aSupplier();
    const upload = await env.DOCUMENTS.createMultipartUpload(`${given.code}/a.bin`);
    const [one, two] = [new Uint8Array(5 * MIB).fill(1), new Uint8Array(10).fill(2)];
    await upload.complete([await upload.uploadPart(1, one), await upload.uploadPart(2, two)]);
    const whole = new Uint8Array(5 * MIB + 10).fill(1);
    whole.fill(2, 5 * MIB);
    expect((await put(given, 'a.bin', whole)).status).toBe(200);
    whole[0] = 3;
    expect((await put(given, 'a.bin', whole)).status).toBe(409);
  });
});

describe('a body that is not taken', () => {
  it('411 without Content-Length, 413 beyond 100 MiB: nothing is read or stored', async () => {
    const given = await aSupplier();
    const pulled = vi.fn();
    const stream = () => new ReadableStream({ pull: pulled }, { highWaterMark: 0 });
    expect(await put(given, 'a.pdf', stream())).toMatchObject({ status: 411, body: { code: 'length_required' } });
    const large = await put(given, 'a.pdf', stream(), { headers: { 'Content-Length': String(100 * MIB + 1) } });
    expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });

  it('415: an encoding, or a media type that is none', async () => {
    const given = await aSupplier();
    for (const headers of [{ 'Content-Encoding': 'gzip' }, { 'Content-Type': 'pdf' }, { 'Content-Type': 'application/pdf\u00e9' }]) {
      expect(await put(given, 'a.pdf', 'x', { headers })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });

  it.each([[[]], [[MIB]], [[10, 20]]])('an upload that breaks off after parts of %j bytes is 400 and stores nothing', async (sizes) => {
    const info = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const given = await aSupplier();
    const left = sizes.map((size) => new Uint8Array(size));
    const body = new ReadableStream({
      pull(controller) {
        const part = left.shift();
        if (part) controller.enqueue(part);
        else controller.error(new Error('Network connection lost.'));
      },
    });
    const { status, body: answer } = await putThrough(given, 'a.pdf', body, { 'Content-Length': String(2 * MIB) }, {});
    expect([status, answer]).toMatchObject([400, { code: 'parse_error' }]);
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
    expect((await put(given, 'a.pdf', 'whole')).status).toBe(201);
    void info;
  });

  it('a body that is shorter or longer than it said stores nothing', async () => {
    const given = await aSupplier();
    for (const size of ['2', '4']) {
      const { status } = await putThrough(given, 'a.pdf', new Blob(['abc']).stream(), { 'Content-Length': size }, {});
      expect(status).toBe(400);
    }
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });

  it.each([
    ['..%2F..%2Fother', 'letters'],
    ['a%5Cb', 'a backslash'],
    ['a//b', 'an empty segment'],
    ['a/', 'a last slash more'],
    ['a%00b', 'NUL'],
    ['a%0Ab', 'a line feed'],
    ['.%2Fa', 'a dot'],
    ['%2F%2Fa', 'two leading slashes'],
    [`${'x'.repeat(1_024)}`, 'a key of more than 1,024 bytes'],
    [`a${'%CC%81'.repeat(31)}`, 'marks'],
  ])('400 `invalid_document_path` for %s (%s): nothing leaves the root', async (tail) => {
    const given = await aSupplier();
    const { status, body } = await put(given, `${DOCUMENTS}/${given.code}/${tail}/`, 'x');
    expect([status, body]).toMatchObject([400, { errors: [{ code: 'invalid_document_path', attr: 'document_path' }] }]);
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });

  it('takes a key of 1,024 bytes', async () => {
    const given = await aSupplier();
    expect((await put(given, 'x'.repeat(1_023 - given.code.length), 'x')).status).toBe(201);
  });

  it('404 for a path that is not percent-encoded UTF-8', async () => {
    const given = await aSupplier();
    for (const tail of ['a%ff', 'a%zz', '%ED%A0%80'])
      expect((await put(given, `${DOCUMENTS}/${given.code}/${tail}`, 'x')).status).toBe(404);
  });
});

describe('the supplier', () => {
  it.each([
    ['Paused', 'import_supplier_paused'],
    ['Complete', 'import_supplier_complete'],
  ] as const)('400 for a %s one, with all errors at once', async (supplierStatus, code) => {
    const given = await aSupplier({ status: supplierStatus });
    const { status, body } = await put(given, 'a%5Cb', 'x', { headers: { 'Content-MD5': 'none' } });
    const errors = [
      { code, attr: 'import_supplier' },
      { code: 'invalid', attr: 'Content-MD5' },
    ];
    expect([status, body]).toMatchObject([400, { errors }]);
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });

  it("404 for an unknown one and for another organisation's, whatever is there", async () => {
    const [ours, theirs] = [await aSupplier(), await aSupplier()];
    await put(theirs, 'a.pdf', 'theirs');
    for (const code of [theirs.code, 'SUP-of-nobody00']) {
      for (const path of ['a.pdf', 'b.pdf']) {
        expect(await put(ours, path, 'ours', { code })).toMatchObject({ status: 404, body: { detail: 'Not found.', code: 'not_found' } });
      }
    }
    expect(await keysUnder(`${theirs.code}/`)).toEqual([`${theirs.code}/a.pdf`]);
    expect(await textAt(`${theirs.code}/a.pdf`)).toBe('theirs');
  });

  it.each([
    ['is paused', "UPDATE suppliers SET status = 'Paused' WHERE id = ?1", 400],
    [
      'loses its key',
      'UPDATE api_keys SET revoked_at = 1 WHERE organisation_id = (SELECT organisation_id FROM suppliers WHERE id = ?1)',
      401,
    ],
    [
      'gets another root',
      `UPDATE suppliers SET configuration = json_set(configuration, '$.documents_root', 'elsewhere') WHERE id = ?1`,
      500,
    ],
  ])('that %s while a document comes in stores nothing of it', async (_, sql, expected) => {
    const given = await aSupplier();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      await env.DB.prepare(sql).bind(given.supplierId).run();
      controller.enqueue(new Uint8Array(3));
      controller.close();
    };
    // Nothing is pulled before it is read: the supplier changes after the request was looked at.
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const { status } = await putThrough(given, 'a.pdf', body, { 'Content-Length': '3' }, {});
    expect([status, await keysUnder(`${given.code}/`), await keysUnder('elsewhere/')]).toEqual([expected, [], []]);
  });
});

describe('500', () => {
  it.each<[string, Partial<R2Bucket>]>([
    ['put', { put: () => Promise.reject(new Error('R2 is away (10001)')) }],
    ['head', { head: () => Promise.reject(new Error('R2 is away (10001)')) }],
  ])('while the bucket fails at %s, never 400; the body is read to its end', async (_, bucket) => {
    const given = await aSupplier();
    const read = vi.fn();
    const left = Array.from({ length: 5 }, () => new Uint8Array(1_000));
    const body = new ReadableStream({
      pull(controller) {
        const part = left.shift();
        if (part) controller.enqueue(part);
        else {
          read();
          controller.close();
        }
      },
    });
    const answer = await putThrough(given, 'a.pdf', body, { 'Content-Length': '5000' }, bucket);
    expect([answer.status, answer.body.code]).toEqual([500, 'error']);
    expect(answer.headers.get('Retry-After')).toBe('5');
    if ('put' in bucket) expect(read).toHaveBeenCalledOnce();
    expect(JSON.stringify(answer.body)).not.toContain('R2');
    expect(await keysUnder(`${given.code}/`)).toEqual([]);
  });
});
