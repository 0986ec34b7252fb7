/**
 * The house as `CONTRIBUTING.md` draws it: which file may know which, and what stands nowhere. What a file may import by its name alone,
 * and cycles between files, are rules of the linter (`.oxlintrc.json`).
 */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/openapi/operations';
import { ENDPOINTS } from '../../../src/routes';
import { ownerOf, readRoot, readSources, type Source } from '../../support/source';

const sources = readSources();
const all = [...sources.values()];

/** What every room is built on; no nouns of the specification. */
const GROUND = new Set(['shared', 'db', 'http', 'queues', 'reference']);

const roomOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, '');
const isNamed = (path: string, kind: string): boolean => nameOf(path) === kind || nameOf(path).startsWith(`${kind}-`);
/** `pure` is the door to what needs no platform. */
const DOORS = new Set(['index', 'pure']);
const isRoom = (path: string): boolean => roomOf(path) !== '' && !GROUND.has(roomOf(path));
const kindOf = (path: string): string =>
  isGenerated(path) ? nameOf(path) : (KINDS.find((kind) => isNamed(path, kind)) ?? (path.endsWith('.tsx') ? 'view' : 'verb'));
const KINDS = ['schema', 'rules', 'machine', 'store', 'state', 'endpoints', 'route', 'index', 'pure'];

/** What only generators and tests read of a room: the shapes of its answers, words and examples. */
const isGenerated = (path: string): boolean =>
  ['answers', 'reference'].includes(nameOf(path)) && sources.has(path.replace(/[^/]+$/, 'endpoints.ts'));
const isGenerators = (path: string): boolean => roomOf(path) === 'openapi' || isGenerated(path);

/** Offences of every file, one line each, so that a failure says where to look. */
const offences = (ruleOf: (source: Source) => readonly string[]): string[] =>
  all.flatMap((source) => ruleOf(source).map((offence) => `src/${source.path}: ${offence}`));

/** The packages and files a file needs at run time, seen through the doors of other rooms. */
function closureOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { from, file, values } of sources.get(path)?.imports ?? []) {
    if (values.length === 0) continue;
    if (file === undefined) seen.add(from);
    else for (const name of values) closureOf(ownerOf(sources, file, name), seen);
  }
  return seen;
}

describe('who may know whom', () => {
  it('enters another room by its door only', () => {
    expect(
      offences(({ path, imports }) =>
        imports
          .filter(({ file }) => file !== undefined && isRoom(file) && roomOf(file) !== roomOf(path) && !DOORS.has(nameOf(file)))
          .filter(({ file }) => !(path === 'routes.ts' && file !== undefined && isNamed(file, 'route')))
          // The document and the command line are built from the wire of every room; nothing of them is in the Worker.
          .filter(({ file }) => !(file !== undefined && isGenerated(file) && isGenerators(path)))
          .filter(({ file }) => !(['openapi', 'kit'].includes(roomOf(path)) && file !== undefined && isNamed(file, 'schema')))
          .map(({ from }) => `import '${from}' instead of the room's index`),
      ),
    ).toEqual([]);
  });

  it('has in the Worker no words, no example and no shape of an answer', () => {
    const needed = [...closureOf('worker.ts')];
    expect(needed).toContain('notes/endpoints.ts');
    expect(needed.filter((path) => ['openapi', 'reference'].includes(roomOf(path)) || isGenerated(path))).toEqual([]);
  });

  it('has no cycle between rooms', () => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of all) {
      if (roomOf(path) === '') continue;
      for (const { file, values } of imports) {
        for (const name of file === undefined ? [] : values) {
          const target = nodeOf(ownerOf(sources, file ?? '', name));
          if (target !== nodeOf(path) && target !== '') edges.set(nodeOf(path), (edges.get(nodeOf(path)) ?? new Set()).add(target));
        }
      }
    }
    expect(cyclesOf(edges)).toEqual([]);
  });

  it('keeps schemas, rules and machines pure: no I/O, no clock, no chance', () => {
    const impure = /^(?:db|http)\/|^deps\.ts$|\/(?:store|route|state)[-.]|^hono|^drizzle|^cloudflare:|^graphql/;
    expect(
      offences(({ path, code }) => {
        if (!isRoom(path) || !['schema', 'rules', 'machine', 'pure'].includes(kindOf(path))) return [];
        const needs = [...closureOf(path)].filter((needed) => needed !== path && impure.test(needed)).map((needed) => `needs ${needed}`);
        const uses = code.match(/Date\.now\(|new Date\(\)|Math\.random|crypto\.(?:random|getRandom)\w*|\bfetch\(/g) ?? [];
        return [...needs, ...uses.map((use) => `uses ${use}`)];
      }),
    ).toEqual([]);
  });

  it('reads bindings, clock and log in deps.ts only', () => {
    expect(
      offences(({ path, code, imports }) => {
        // The kit is a program of its own.
        if (path === 'deps.ts' || path === 'worker.ts' || roomOf(path) === 'kit') return [];
        const uses = code.match(/\bconsole\.|\bprocess\.env\b/g) ?? [];
        const deps = imports.filter(({ file, values }) => file === 'deps.ts' && values.length > 0);
        return [...uses.map((use) => `uses ${use}`), ...deps.map(() => 'imports more than types of deps.ts')];
      }),
    ).toEqual([]);
  });
});

describe('what stands nowhere', () => {
  it('writes SQL in stores, facts and db only, and nowhere as a plain string', () => {
    const statement = /\b(?:SELECT\s[^;]+?\sFROM|INSERT (?:OR \w+ )?INTO|UPDATE \w+(?: AS \w+)? SET|DELETE FROM)\s/;
    // A template of Drizzle's knows tables, columns and values; any other text knows none.
    const plain = /(?<!\bsql(?:<[^`]*>)?)`[^`]*`|'[^'\n]*'|"[^"\n]*"/g;
    expect(
      offences(({ path, text }) => {
        const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
        const isPlain = (code.match(plain) ?? []).some((literal) => statement.test(literal));
        const isStore = roomOf(path) === 'db' || ['store', 'state'].includes(kindOf(path));
        return [...(isPlain ? ['has SQL in a plain string'] : []), ...(!isStore && statement.test(code) ? ['contains SQL'] : [])];
      }),
    ).toEqual([]);
  });

  it('silences the type checker only where two worlds meet', () => {
    // File -> how many casts it holds, each with its reason beside it.
    const casts: Readonly<Record<string, number>> = {
      'db/client.ts': 1,
      'db/operators.ts': 1,
      'db/queries.ts': 2,
      'payment-instructions/redact.ts': 1,
      'shared/fields.ts': 1,
      'shared/parse.ts': 1,
      'shared/reader.ts': 1,
      'shared/shape.ts': 1,
    };
    expect(
      offences(({ path, code }) => {
        const body = code.replace(/\b(?:import|export)\s+(?:type\s+)?(?:\*\s+as\s+\w+|\w+\s*,?\s*)?(?:\{[^}]*\})?/g, '');
        const found = body.match(/\bas (?!const\b)[\w{(['"<]/g)?.length ?? 0;
        const wide = body.match(/[:<|]\s*any\b|@ts-(?:ignore|expect-error|nocheck)/g) ?? [];
        return [...(found > (casts[path] ?? 0) ? [`${found} casts, ${casts[path] ?? 0} allowed`] : []), ...wide];
      }),
    ).toEqual([]);
    const lint = JSON.parse(readRoot('.oxlintrc.json').replace(/^\s*\/\/.*$/gm, '')).rules;
    expect(lint['typescript/no-explicit-any']).toBe('error');
    expect(lint['typescript/no-non-null-assertion']).toBe('error');
  });

  it('keeps files short', () => {
    const printed = ['kit/client/wire.ts'];
    expect(
      offences(({ path, text }) =>
        !printed.includes(path) && text.split('\n').length > 251 ? [`${text.split('\n').length - 1} lines`] : [],
      ),
    ).toEqual([]);
  });
});

describe('the map of endpoints', () => {
  const routes = ENDPOINTS.map(([method, path]) => addressOf(method, path));

  it('has every endpoint that is described for the reference, and each of its endpoints is', () => {
    const described = OPERATIONS.map(({ endpoint }) => endpoint);
    expect(ENDPOINTS.filter(([, , declared]) => !described.includes(declared)).map(([method, path]) => `${method} ${path}`)).toEqual([]);
    expect(described.map(({ method, path }) => addressOf(method, path)).toSorted()).toEqual(routes.toSorted());
  });

  it('is in the README, and what operators call in their guide', () => {
    const declared = endpointsIn(
      `${readRoot('README.md')}${readRoot('docs/operating.md')}`,
      /^\| `(GET|POST|PUT|PATCH|DELETE)` \| `([^`]+)`/gm,
    );
    expect(declared.toSorted()).toEqual(routes.toSorted());
  });

  it('is published in the OpenAPI document', () => {
    const { paths }: { paths: Record<string, object> } = JSON.parse(readRoot('public/openapi.json'));
    const published = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => addressOf(method.toUpperCase(), path)),
    );
    expect(published.toSorted()).toEqual(routes.toSorted());
  });

  it('names each endpoint once, with the slash at its end', () => {
    expect(routes).toEqual([...new Set(routes)]);
    expect(routes.filter((route) => !route.endsWith('/') && !route.endsWith('*'))).toEqual([]);
  });
});

/** `GET /v2/…/{}/{}/`: the names of path parameters do not matter. */
function endpointsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, method = '', path = '']) => addressOf(method, path));
}

function addressOf(method: string, path: string): string {
  const open = path.replace(/:[a-z_]+(?:\{[^}]*\})?|\{[^}]+\}|<[^>]+>/gi, '{}').replace(/\?.*$/, '');
  return `${method} ${open.endsWith('/') || open.endsWith('*') ? open : `${open}/`}`;
}

/** Rooms; their endpoints are a floor of their own above all of them, and what generators read is one above that. */
function nodeOf(path: string): string {
  if (!isRoom(path)) return roomOf(path);
  if (['endpoints', 'route', 'view'].includes(kindOf(path))) return `${roomOf(path)}/route`;
  return isGenerated(path) ? `${roomOf(path)}/reference` : roomOf(path);
}

function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    if (done.has(node)) return;
    done.add(node);
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
  };
  for (const node of edges.keys()) visit(node, []);
  return cycles;
}
