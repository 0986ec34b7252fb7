/** §4.16 and §4.18: which documents are there. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { DOCUMENTS, put } from '../support/documents';
import { aDocument, aSupplier, call, type GivenSupplier } from '../support/given';

const check = (given: GivenSupplier, paths: unknown, code = given.code) =>
  call('POST', `${DOCUMENTS}/check/`, { token: given.token, body: { import_supplier: code, document_paths: paths } });
const list = (given: GivenSupplier, query = '', code = given.code) => call('GET', `${DOCUMENTS}/${code}/${query}`, { token: given.token });

async function someDocuments(given: GivenSupplier, paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += 50) {
    await Promise.all(paths.slice(from, from + 50).map((path) => aDocument(`${given.code}/${path}`)));
  }
}

/** A check that counts its calls of the bucket. */
async function countedCheck(given: GivenSupplier, paths: readonly string[], bucket: Partial<R2Bucket> = {}) {
  let calls = 0;
  const documents: R2Bucket = new Proxy(env.DOCUMENTS, {
    get(target, name) {
      const method: unknown = Reflect.get(bucket, name) ?? Reflect.get(target, name);
      return (...values: unknown[]) => {
        calls++;
        return typeof method === 'function' ? method.apply(target, values) : undefined;
      };
    },
  });
  const app = appOf((bindings, context) => ({ ...depsFrom(bindings, context), documents, log: { info: () => {}, error: () => {} } }));
  const response = await app.fetch(
    new Request(`https://import.test${DOCUMENTS}/check/`, {
      method: 'POST',
      headers: { Authorization: `Token ${given.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ import_supplier: given.code, document_paths: paths }),
    }),
    env,
    createExecutionContext(),
  );
  return { status: response.status, body: await response.json<Record<string, unknown>>(), calls };
}

describe('POST documents/check/', () => {
  it('200: counts what is there, and lists what is missing and what is no path, as sent and in order', async () => {
    const given = await aSupplier();
    await someDocuments(given, ['letters/a.pdf', 'letters/\u00e9.pdf', 'b.pdf']);
    const paths = [
      'missing/z.pdf',
      'letters/a.pdf',
      '/letters/e\u0301.pdf',
      '../b.pdf',
      '',
      'b.pdf',
      'a\\b',
      'missing/a.pdf',
      'b.pdf',
      'missing/z.pdf',
    ];
    const { status, body } = await check(given, paths);
    expect([status, body]).toEqual([
      200,
      { found: 4, missing: ['missing/z.pdf', 'missing/a.pdf', 'missing/z.pdf'], invalid: ['../b.pdf', '', 'a\\b'] },
    ]);
  });

  it('looks under the root of the supplier only', async () => {
    const given = await aSupplier({ configuration: { documents_root: `deep-${crypto.randomUUID()}/er` } });
    await aDocument('a.pdf');
    await aDocument(`${given.code}/a.pdf`);
    expect((await check(given, ['a.pdf', `${given.code}/a.pdf`])).body).toMatchObject({ found: 0 });
  });

  it('looks 10,000 documents in 10,000 folders up in some twenty calls of the bucket', async () => {
    const given = await aSupplier();
    const there = Array.from({ length: 500 }, (_, index) => `letters/${String(index * 20).padStart(6, '0')}/welcome.pdf`);
    await someDocuments(given, there);
    const paths = Array.from({ length: 10_000 }, (_, index) => `letters/${String(index).padStart(6, '0')}/welcome.pdf`);
    const { status, body, calls } = await countedCheck(given, paths);
    expect([status, body['found']]).toEqual([200, 500]);
    expect(body['missing']).toEqual(paths.filter((_, index) => index % 20 !== 0));
    expect(calls).toBeLessThan(25);
  });

  it('is right whatever the names are: neighbours, prefixes of one another, every plane of Unicode', async () => {
    const given = await aSupplier();
    const names = ['a', 'a!', 'a~', 'a~~', 'a/b', 'a0', 'b', '\u{1F600}', '\uE000x', '\uFFFDx', 'é', 'zz', ' ', '!', 'a\u{10FFFF}', '信'];
    const all = names.flatMap((name) => names.map((other) => `${name}x/${other}y`));
    const there = all.filter((_, index) => index % 3 === 0);
    await someDocuments(given, there);
    const { body } = await check(given, all.toReversed());
    expect(body).toEqual({ found: there.length, missing: all.filter((path) => !there.includes(path)).toReversed(), invalid: [] });
  });

  it('500 paths are always looked up; more that lie too far apart are 400 `max_length`, never guessed', async () => {
    const given = await aSupplier();
    // A bucket in which a thousand other objects lie between any two that are asked for.
    const between = Array.from({ length: 1_000 }, () => ({}));
    const far: Partial<R2Bucket> = {
      list: (options) => {
        const after = String(options?.startAfter);
        return Promise.resolve({
          objects: between.map((_, index) => ({ key: `${after}~${String(index).padStart(4, '0')}` })) as R2Object[],
          truncated: true,
          cursor: 'x',
          delimitedPrefixes: [],
        });
      },
    };
    const paths = (count: number) => Array.from({ length: count }, (_, index) => `far/${index}.pdf`);
    const few = await countedCheck(given, paths(500), far);
    expect([few.status, few.body['missing']]).toEqual([200, paths(500)]);
    const many = await countedCheck(given, paths(2_000), far);
    expect([many.status, many.body]).toMatchObject([400, { errors: [{ code: 'max_length', attr: 'document_paths' }] }]);
    expect(many.calls).toBeLessThanOrEqual(550);
  });

  it('does not trust a list that is out of order', async () => {
    const given = await aSupplier();
    await someDocuments(given, ['a.pdf', 'c.pdf']);
    const disordered: Partial<R2Bucket> = {
      list: async (options) => {
        const page = await env.DOCUMENTS.list(options);
        return {
          ...page,
          objects: page.objects
            .filter(({ key }) => !key.endsWith('a.pdf'))
            .toReversed()
            .concat(page.objects.slice(0, 1)),
        };
      },
    };
    const { body } = await countedCheck(given, ['a.pdf', 'b.pdf', 'c.pdf'], disordered);
    expect(body).toEqual({ found: 2, missing: ['b.pdf'], invalid: [] });
  });

  it('400: all errors of the body at once', async () => {
    const given = await aSupplier({ status: 'Paused' });
    const { status, body } = await check(given, ['a.pdf', 5, null]);
    expect([status, body]).toMatchObject([
      400,
      {
        code: 'validation_error',
        errors: [
          { code: 'import_supplier_paused', attr: 'import_supplier' },
          { code: 'invalid', attr: 'document_paths.1' },
          { code: 'null', attr: 'document_paths.2' },
        ],
      },
    ]);
    expect((await check(given, [])).body).toMatchObject({ errors: [{}, { code: 'empty', attr: 'document_paths' }] });
    const ongoing = await aSupplier();
    expect((await check(ongoing, Array(10_001).fill('a'))).body).toMatchObject({
      errors: [{ code: 'max_length', attr: 'document_paths' }],
    });
    expect((await check(ongoing, Array(10_000).fill('a'))).body).toMatchObject({ missing: { length: 10_000 } });
  });

  it("404 for an unknown supplier and for another organisation's", async () => {
    const [ours, theirs] = [await aSupplier(), await aSupplier()];
    await aDocument(`${theirs.code}/a.pdf`);
    for (const code of [theirs.code, 'SUP-of-nobody00']) {
      expect(await check(ours, ['a.pdf'], code)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('500 while the bucket fails: never a document that is missing', async () => {
    const given = await aSupplier();
    const away = () => Promise.reject(new Error('R2 is away (10001)'));
    expect((await countedCheck(given, ['a.pdf'], { list: away, head: away })).status).toBe(500);
  });
});

describe('GET documents/{supplier}/', () => {
  it('200: path, size and etag of each document, in the order of the paths', async () => {
    const given = await aSupplier();
    expect((await list(given)).body).toEqual([]);
    const stored = [];
    for (const path of ['b.pdf', 'a/2.pdf', 'a/1.pdf', '信.pdf']) stored.push((await put(given, path, path)).body);
    const { status, body, headers } = await list(given);
    expect([status, body, headers.get('Link')]).toEqual([200, [stored[2], stored[1], stored[0], stored[3]], null]);
  });

  it('goes on by `Link`, with the prefix, and passes over objects that no path can name', async () => {
    const given = await aSupplier();
    const paths = Array.from({ length: 7 }, (_, index) => `in é/${index}.pdf`);
    await someDocuments(given, [...paths, 'other.pdf', 'in é/', 'in é/3\\.pdf', 'in e\u0301/x.pdf']);
    const pages: string[][] = [];
    for (let path: string | undefined = `${DOCUMENTS}/${given.code}/?limit=3&prefix=${encodeURIComponent('/in e\u0301/')}`; path; ) {
      const { body, headers } = await call('GET', path, { token: given.token });
      pages.push((body as { document_path: string }[]).map((one) => one.document_path));
      const next: string | undefined = /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
      path = next && new URL(next).pathname + new URL(next).search;
    }
    expect(pages.flat()).toEqual(paths);
    expect(pages.length).toBe(3);
  });

  it('shows those of its supplier alone, whatever prefix and cursor say', async () => {
    const code = `SUP-${crypto.randomUUID().slice(0, 8)}`;
    const given = await aSupplier({ configuration: { documents_root: code } });
    await aDocument(`${code}/a.pdf`);
    await aDocument(`${code}x/theirs.pdf`);
    const queries = [
      '',
      '?prefix=',
      '?prefix=..%2F',
      '?prefix=%2F',
      `?prefix=${code}x`,
      `?cursor=${btoa('/')}`.replace('=', ''),
      '?cursor=IA',
    ];
    for (const query of queries) expect(JSON.stringify((await list(given, query)).body)).not.toContain('theirs');
  });

  it('answers in every status of the supplier', async () => {
    for (const status of ['Paused', 'Complete'] as const) expect((await list(await aSupplier({ status }))).status).toBe(200);
  });

  it.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=1001'],
    ['prefix', '?prefix=a%5C'],
    ['prefix', '?prefix=a%00'],
    ['prefix', `?prefix=${'x'.repeat(1_020)}`],
    ['prefix', `?prefix=${'x'.repeat(2_000)}`],
    ['cursor', '?cursor=*'],
    ['cursor', '?cursor=_w'],
    ['cursor', `?cursor=${'eHh4'.repeat(400)}`],
  ])('400 `invalid` at %s for %s', async (attr, query) => {
    const { status, body } = await list(await aSupplier(), query);
    expect([status, body]).toMatchObject([400, { errors: [{ code: 'invalid', attr }] }]);
  });

  it("404 for an unknown supplier and for another organisation's", async () => {
    const [ours, theirs] = [await aSupplier(), await aSupplier()];
    for (const code of [theirs.code, 'SUP-of-nobody00']) expect((await list(ours, '', code)).status).toBe(404);
  });
});
