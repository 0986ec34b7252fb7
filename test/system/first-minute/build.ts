import { execFileSync } from 'node:child_process';

/** Builds the command line, as `npm ci` does. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.ts']);
}
