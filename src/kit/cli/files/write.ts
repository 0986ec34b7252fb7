/** Files that are written beside the one that was read: whole or not at all, readable by their owner alone, never over another. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';

/**
 * Writes lines into `target` or, where that name is taken, into the next free one: `a.csv`, `a-2.csv`, `a-3.csv`. So no file that
 * somebody has edited is lost. Where the newest of them says the same already, it stays. Answers where the lines are.
 */
export async function writeNumbered(target: string, lines: AsyncIterable<string>): Promise<string> {
  let last: string | undefined;
  let free = target;
  for (let number = 2; existsSync(free); number++) {
    last = free;
    free = target.replace(/(\.[^./\\]*)?$/, `-${number}$1`);
  }
  const part = `${free}.part`;
  await writeLines(part, lines);
  if (last !== undefined && (await isSame(last, part))) {
    rmSync(part);
    return last;
  }
  renameSync(part, free);
  return free;
}

/** Writes lines in the place of a file of ours, if there is one. */
export async function writeOver(target: string, lines: AsyncIterable<string>): Promise<void> {
  await writeLines(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}

/** What a file's companions are named after: a failed file belongs to the file whose failed records it holds. */
export const familyOf = (file: string): string => file.replace(/\.failed(-\d+)?\.(ndjson|csv)$/, '');

export const isFailedFile = (file: string): boolean => familyOf(file) !== file;

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600 });
  const written = once(out, 'close');
  // It is awaited below; until then its failure is nobody's yet.
  written.catch(() => undefined);
  try {
    for await (const line of lines) if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), written]);
    out.end();
    await written;
  } catch (error) {
    out.destroy();
    rmSync(file, { force: true });
    throw error;
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  if (statSync(one).size !== statSync(other).size) return false;
  const [first, second] = await Promise.all([digestOf(one), digestOf(other)]);
  return first === second;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part);
  return hash.digest('hex');
}
