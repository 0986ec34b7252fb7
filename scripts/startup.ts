/** What a Worker spends before its first request. */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

// Modules of the platform itself are there before: loading Node's own would cost what no Worker pays.
const EVALUATE = `await Promise.all([import('node:buffer'), import('node:crypto')]);
const before = process.threadCpuUsage(); await import(process.argv[1]);
const { user, system } = process.threadCpuUsage(before); console.log((user + system) / 1000);`;

/**
 * Milliseconds of CPU of the thread that evaluates each of the files, by turns: the least of `tries`, because what disturbs a run only ever
 * adds to it.
 */
export function startupMilliseconds(files: readonly string[], tries: number): number[] {
  const least = files.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < tries; run++) {
    files.forEach((file, place) => {
      least[place] = Math.min(least[place] ?? 0, evaluation(file));
    });
  }
  return least;
}

function evaluation(file: string): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', EVALUATE, pathToFileURL(file).href], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  return Number(stdout);
}
