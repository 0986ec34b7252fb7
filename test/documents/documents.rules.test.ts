import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALLS_OF_AN_INVOCATION } from '../../src/deps';
import { documentErrors, documentKey, keysOf, lookUpsLeft, missingDocuments } from '../../src/documents';
import { directoryOf } from '../../src/documents/rules';
import { aSupplierWith } from '../support/suppliers';
import { worded } from '../support/worded';

const key = (root: string, path: string) => {
  const checked = documentKey(root, path);
  return checked.kind === 'key' ? checked.key : 'invalid';
};

describe('the key of a document', () => {
  it.each([
    ['', 'a.pdf', 'a.pdf'],
    ['', '/a.pdf', 'a.pdf'],
    ['/', 'a.pdf', 'a.pdf'],
    ['root', 'a.pdf', 'root/a.pdf'],
    ['root/', '/a.pdf', 'root/a.pdf'],
    ['/root/sub//', 'x/a.pdf', 'root/sub/x/a.pdf'],
    ['root', 'a b/ü (1).pdf', 'root/a b/ü (1).pdf'],
    ['root', 'u\u0308.pdf', 'root/ü.pdf'],
    ['u\u0308', 'a.pdf', 'ü/a.pdf'],
    ['root', '..a/b../...', 'root/..a/b../...'],
    ['root', '%2e%2e/a', 'root/%2e%2e/a'],
    ['root', ' ', 'root/ '],
  ])('of root %j and path %j is %j', (root, path, expected) => expect(key(root, path)).toBe(expected));

  it.each([
    '',
    '/',
    '//a',
    'a//b',
    'a/',
    '.',
    '..',
    '../a',
    '/../a',
    'a/../b',
    'a/..',
    'a/./b',
    'a\\b',
    '..\\a',
    'a\u0000b',
    'a\nb',
    'a\tb',
    'a\u007fb',
    'a\u0085b',
    'a\ud800b',
  ])('is refused for %j', (path) => {
    expect(key('root', path)).toBe('invalid');
  });

  it('holds at most 1,024 bytes of UTF-8, root included', () => {
    expect(key('', 'a'.repeat(1_024))).toHaveLength(1_024);
    expect(key('', 'a'.repeat(1_025))).toBe('invalid');
    expect(key('', 'ü'.repeat(512))).toHaveLength(512);
    expect(key('', 'ü'.repeat(513))).toBe('invalid');
    expect(key('root', 'a'.repeat(1_019))).toHaveLength(1_024);
    expect(key('root', 'a'.repeat(1_020))).toBe('invalid');
  });

  it('is refused where only the root makes it too long, and stands under a root of any slashes', () => {
    expect(documentKey('r'.repeat(500), 'a'.repeat(600))).toEqual({ kind: 'invalid' });
    expect(documentKey('///root//', 'a.pdf')).toEqual({ kind: 'key', key: 'root/a.pdf' });
  });

  it('is validated at once, however long and however many marks it has', () => {
    const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}.pdf`;
    expect(documentKey('', marks(30))).toEqual({ kind: 'key', key: marks(30).normalize('NFC') });
    for (const path of [marks(32), marks(500_000), 'a/'.repeat(500_000), '/'.repeat(1_000_000), `${'a'.repeat(1_000_000)}`]) {
      expect(documentKey('', path)).toEqual({ kind: 'invalid' });
    }
  });

  it('never leaves the root, whatever the path', () => {
    const segment = fc.oneof(fc.constantFrom('.', '..', '', '/', '\\', '\u0000', 'a'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const found = key('root', segments.join('/'));
        if (found === 'invalid') return;
        expect(found.startsWith('root/')).toBe(true);
        expect(new URL(`https://bucket/${found.split('/').map(encodeURIComponent).join('/')}`).pathname.startsWith('/root/')).toBe(true);
      }),
    );
  });
});

it.each([
  ['a.pdf', ''],
  ['a/b.pdf', 'a/'],
  ['a/b/c.pdf', 'a/b/'],
])('the directory of %j is %j', (of, directory) => expect(directoryOf(of)).toBe(directory));

it('only paths that are allowed have keys', () => {
  const items = ['a.pdf', '../b.pdf', '/c.pdf'].map((documentPath) => ({ path: [], documentPath }));
  expect(keysOf('root', items)).toEqual(['root/a.pdf', 'root/c.pdf']);
});

/** A bucket in memory that counts its calls and can fail. */
function aBucket(held: Iterable<string>, failures = 0, left = CALLS_OF_AN_INVOCATION) {
  const keys = [...new Set(held)].sort();
  const calls = { head: 0, list: 0, waiting: 0, mostWaiting: 0 };
  const answer = async <T>(value: T): Promise<T> => {
    calls.waiting++;
    calls.mostWaiting = Math.max(calls.mostWaiting, calls.waiting);
    await new Promise((resume) => setTimeout(resume, 0));
    calls.waiting--;
    if (failures-- > 0) throw new Error('the store is down');
    return value;
  };
  const bucket = {
    head: (wanted: string) => {
      calls.head++;
      return answer(keys.includes(wanted) ? { key: wanted } : null);
    },
    list: ({ prefix = '', startAfter = '', limit = 1_000 }: R2ListOptions) => {
      calls.list++;
      const all = keys.filter((candidate) => candidate.startsWith(prefix) && candidate > startAfter);
      return answer({ objects: all.slice(0, limit).map((found) => ({ key: found })), truncated: all.length > limit });
    },
  };
  return { calls, deps: { documents: bucket as unknown as R2Bucket, calls: { left } } };
}

const names = (directory: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${directory}${String(from + index).padStart(5, '0')}.pdf`);

const missingOf = async (...asked: Parameters<typeof missingDocuments>) => (await missingDocuments(...asked)).missing;

describe('the look-up of documents', () => {
  it('asks for few keys by name, each once, at most six at once', async () => {
    const { deps, calls } = aBucket(names('d/', 0, 5));
    const wanted = [...names('d/', 0, 12), ...names('d/', 0, 12)];
    expect(await missingOf(deps, wanted)).toEqual(new Set(names('d/', 5, 12)));
    expect(calls).toMatchObject({ head: 12, list: 0, mostWaiting: 6 });
  });

  it('lists a directory of which many are asked', async () => {
    const { deps, calls } = aBucket(names('d/', 0, 2_000));
    expect(await missingOf(deps, names('d/', 700, 1_200))).toEqual(new Set());
    expect(calls).toMatchObject({ head: 1, list: 1 });
  });

  it('falls back to names where a directory holds mostly other things', async () => {
    const { deps, calls } = aBucket(names('d/', 0, 20_000));
    const wanted = Array.from({ length: 40 }, (_, index) => `d/${String(index * 500).padStart(5, '0')}.pdf`);
    expect(await missingOf(deps, wanted)).toEqual(new Set());
    expect(calls.list).toBe(1);
  });

  it('finds exactly what is missing, whatever is held and asked', async () => {
    const name = fc.tuple(fc.constantFrom('', 'a/', 'a/b/', 'b/'), fc.integer({ min: 0, max: 60 })).map(([folder, n]) => `${folder}${n}`);
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 150 }), fc.array(name, { maxLength: 120 }), async (held, asked) => {
        const { deps } = aBucket(held);
        expect(await missingOf(deps, asked)).toEqual(new Set(asked.filter((one) => !held.includes(one))));
      }),
      { numRuns: 60 },
    );
  });

  it('tries a failing store again, then throws', async () => {
    expect(await missingOf(aBucket(['a'], 2).deps, ['a'])).toEqual(new Set());
    await expect(missingDocuments(aBucket(['a'], 3).deps, ['a'])).rejects.toThrow('the store is down');
  });

  it('does not ask a store that is down three times for every key', async () => {
    const { deps, calls } = aBucket([], Number.POSITIVE_INFINITY);
    await expect(missingDocuments(deps, names('d/', 0, 12))).rejects.toThrow('the store is down');
    // Nor does anybody go on asking once it has failed.
    const { head } = calls;
    expect(head).toBeLessThanOrEqual(12 + 10);
    await new Promise((resume) => setTimeout(resume, 250));
    expect(calls.head - head).toBeLessThanOrEqual(5);
    expect(calls.waiting).toBe(0);
  });

  it('asks no more than the invocation has calls for, and says what it did not ask', async () => {
    const spread = Array.from({ length: 500 }, (_, index) => `d${index}/a.pdf`);
    const { deps, calls } = aBucket(spread.slice(1), 0, 700);
    const { missing, unasked } = await missingDocuments(deps, spread);
    expect([calls.head, deps.calls.left, lookUpsLeft(deps)]).toEqual([300, 400, 0]);
    expect(missing).toEqual(new Set(['d0/a.pdf']));
    expect(unasked).toEqual(new Set(spread.slice(300)));
  });

  it('knows what it asked in this invocation: a request that is validated again asks nothing', async () => {
    const { deps, calls } = aBucket(['here.pdf']);
    const wanted = ['here.pdf', 'gone.pdf'];
    expect(await missingOf(deps, wanted)).toEqual(new Set(['gone.pdf']));
    expect(await missingOf(deps, wanted)).toEqual(new Set(['gone.pdf']));
    expect(calls.head).toBe(2);
    expect(await missingOf({ ...deps, calls: { left: CALLS_OF_AN_INVOCATION } }, wanted)).toEqual(new Set(['gone.pdf']));
    expect(calls.head).toBe(4);
  });

  it('runs what it is given before each call', async () => {
    const { deps } = aBucket([]);
    let before = 0;
    await missingDocuments(deps, ['a', 'b', 'c'], async () => void before++);
    expect(before).toBe(3);
  });
});

describe('the errors of documents', () => {
  const supplier = aSupplierWith({ documents_root: 'root' });
  const at = (index: number, documentPath: string) => ({ path: ['statements', index, 'statement_path'], documentPath });
  const errorsIn = async (items: ReturnType<typeof at>[], validatedBy: typeof supplier | undefined = supplier) =>
    worded(await documentErrors(aBucket(['root/a.pdf']).deps, validatedBy, items)).map(({ path, code }) => `${path.join('.')} ${code}`);

  it('report refused and unknown paths where they stand', async () => {
    expect(await errorsIn([at(0, 'a.pdf'), at(1, 'b.pdf'), at(2, '../a.pdf'), at(3, '/a.pdf'), at(4, 'b.pdf')])).toEqual([
      'statements.1.statement_path document_not_found',
      'statements.2.statement_path invalid_document_path',
      'statements.4.statement_path document_not_found',
    ]);
  });

  it('leave out what needs the supplier when there is none', async () => {
    const errors = await documentErrors(aBucket([]).deps, undefined, [at(0, 'b.pdf'), at(1, '..')]);
    expect(errors.map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual(['statements.1.statement_path invalid_document_path']);
  });

  it('allow 500 paths a request', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => at(index, 'a.pdf'));
    expect(await errorsIn(many(500))).toEqual([]);
    expect(await errorsIn(many(502))).toEqual(['statements.500.statement_path max_length']);
  });
});
