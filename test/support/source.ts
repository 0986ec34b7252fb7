/**
 * Reads `src` as text for the architecture test: files, their imports, and code without comments and strings.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** As written: `zod`, `../db`. */
  readonly from: string;
  /** The file under `src` it leads to, or undefined for a package. */
  readonly file: string | undefined;
  /** What is imported for use at run time; `*` for a whole module. Types are not counted. */
  readonly values: readonly string[];
}

export interface Source {
  /** Relative to `src`, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments, strings and regular expressions. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const ROOT = join(import.meta.dirname, '../..');

export const readRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export function readSources(): Map<string, Source> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path));
  const known = new Set(paths);
  return new Map(
    paths.map((path) => {
      const text = readRoot(`src/${path}`);
      return [path, { path, text, code: bare(text), imports: importsOf(path, text, known) }];
    }),
  );
}

const STATEMENT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*['"]([^'"]+)['"]|(?:import\(|(?:^|\n)import\s+)\s*['"]([^'"]+)['"]/g;

function importsOf(path: string, text: string, known: ReadonlySet<string>): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, , type, clause = '*', from, bareFrom]) => {
    const target = from ?? bareFrom ?? '';
    return { from: target, file: resolve(path, target, known), values: type ? [] : namesOf(clause) };
  });
}

/** The imported names: `a, { b as c, type D }` gives default, b. */
function namesOf(clause: string): string[] {
  if (clause.includes('*')) return ['*'];
  const [head = '', named = ''] = clause.split('{');
  const names = named
    .replace('}', '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(/\s+as\s+/)[0] ?? name);
  return head.replace(',', '').trim() === '' ? names : ['default', ...names];
}

function resolve(path: string, target: string, known: ReadonlySet<string>): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const base = normalize(join(dirname(path), target)).replaceAll('\\', '/');
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((candidate) => known.has(candidate));
}

/** Where a name that a door (`index.ts`, `pure.ts`) offers is really made. */
export function ownerOf(sources: ReadonlyMap<string, Source>, file: string, name: string): string {
  const source = sources.get(file);
  if (!source || !/\/(?:index|pure)\.ts$/.test(file) || name === '*') return file;
  const named = source.imports.find(({ values }) => values.includes(name));
  const next = (named ?? source.imports.find(({ values }) => values.includes('*')))?.file;
  return next === undefined ? file : ownerOf(sources, next, name);
}

/** Blanks out comments, strings, templates and regular expressions, so that words in them are not taken for code. */
function bare(text: string): string {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return text.replace(token, (match) => match.replace(/[^\n]/g, ' '));
}
