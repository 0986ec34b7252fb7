/** The failed records of a source, in files beside it: to be put right and sent again. */
import type { Failures, Source } from './source';
import { familyOf, writeNumbered } from './write';

/** Answers the files, the source's own first, others as the options that take them; none where nothing failed. `target` is where the first is to go. */
export async function writeFailed(source: Source, failures: Failures, target: string | undefined): Promise<string[]> {
  if (failures.size === 0) return [];
  const written: string[] = [];
  for (const part of source.failed(failures)) {
    const beside = `${familyOf(part.of)}.failed.${part.ending}`;
    const file = await writeNumbered(written.length === 0 ? (target ?? beside) : beside, part.lines());
    written.push(part.option === undefined ? file : `${part.option} ${file}`);
  }
  return written;
}
