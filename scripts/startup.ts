/** What a Worker spends before its first request. */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const EVALUATE = `const before = process.threadCpuUsage(); await import(process.argv[1]);
const { user, system } = process.threadCpuUsage(before); console.log((user + system) / 1000);`;

/** Milliseconds of CPU of the thread that evaluates the bundle, the least of `tries`: what disturbs a run only ever adds to it. */
export function startupMilliseconds(bundle: string, tries: number): number {
  const runs = Array.from({ length: tries }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', EVALUATE, pathToFileURL(bundle).href], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the bundle does not load: ${stderr}`);
    return Number(stdout);
  });
  return Math.min(...runs);
}
