/** `convert FILE` and `template SHEET`. */
import { once } from 'node:events';
import { EXIT, type ExitCode } from '../exit';
import type { Allowable } from '../guard/finding';
import { guard } from '../guard/guard';
import type { Opened } from './source';
import { templateOf } from './template';

/** Prints each account as a line of JSON; what was found is said on stderr, and stops as it stops an import. */
export async function convert({ source, findings, allowed }: Opened & { readonly allowed: ReadonlySet<Allowable> }): Promise<ExitCode> {
  await guard(source, allowed, (line) => process.stderr.write(`${line}\n`), findings);
  for await (const { text } of source.records()) {
    if (process.stdout.destroyed) break;
    if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain').catch(() => undefined);
  }
  return EXIT.allDone;
}

export function template(sheet: string): ExitCode {
  process.stdout.write(`${templateOf(sheet)}\n`);
  return EXIT.allDone;
}
