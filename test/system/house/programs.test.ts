/** Every file is checked by the compiler, in the program whose globals it has when it runs. */
import { globSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { expect, it } from 'vitest';
import { runSync } from '../../../scripts/programs';
import { PROJECTS } from '../../../scripts/projects';

const ROOT = join(import.meta.dirname, '../../..');

/** The files of the repository in a program, imported ones included. */
function filesOf(project: string): string[] {
  const { stdout, stderr } = runSync('tsc', ['-p', project, '--listFilesOnly'], { cwd: ROOT, encoding: 'utf8' });
  const files = stdout
    .split('\n')
    .map((file) => relative(ROOT, file.trim()).replaceAll('\\', '/'))
    .filter((file) => file !== '' && !file.startsWith('..') && !file.includes('node_modules/'));
  if (files.length === 0) throw new Error(`${project} has no files: ${stdout}${stderr}`);
  return files;
}

/** The files below folders whose names match; of the repository, and of nothing that was installed or built. */
const sourcesIn = (folders: readonly string[], named = /\.tsx?$/): string[] =>
  folders.flatMap((folder) =>
    globSync(`${folder}/**/*`, { cwd: ROOT, exclude: (name) => /^(?:node_modules|dist|\.\w.*)$/.test(basename(name)) && name !== '.' })
      .map((file) => normalize(file).replaceAll('\\', '/'))
      .filter((file) => named.test(basename(file))),
  );

const programs = new Map<string, readonly string[]>(PROJECTS.map((project) => [project, filesOf(project)]));

it('leaves no program out of npm run check', () => {
  const folders = sourcesIn(['.'], /^tsconfig\.json$/).map((file) => dirname(file));
  expect(folders.toSorted()).toEqual([...PROJECTS].toSorted());
});

it('has every file of src in a program of src, and every other one in any', () => {
  const inSrc = new Set([...programs].flatMap(([project, files]) => (project.startsWith('src') ? files : [])));
  expect(sourcesIn(['src']).filter((file) => !inSrc.has(file))).toEqual([]);
  const inAny = new Set([...programs.values()].flat());
  expect(sourcesIn(['test', 'scripts', 'bench', 'docs']).filter((file) => !inAny.has(file))).toEqual([]);
});

it('has nothing of the kit and the generator in the Worker', () => {
  const worker = programs.get('src') ?? [];
  expect(worker).toContain('src/worker.ts');
  expect(worker.filter((file) => /^src\/(?:kit|openapi)\//.test(file))).toEqual([]);
});
