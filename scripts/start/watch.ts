/**
 * The output of wrangler, on its way into the log file: requests are summed each second, failures are shown as they are.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Answered, lineReader, sumOf, withoutColours } from './output.ts';

const SECOND = 1_000;
/** Lines of the log that are shown where wrangler ends by itself. */
const LAST_LINES = 40;

/**
 * Answers the last lines of the log that were not shown. `isVerbose`: shows every line as it comes, and sums nothing.
 */
export function watch(outputs: readonly Readable[], file: string, isVerbose: boolean): () => string {
  const read = lineReader();
  const last: string[] = [];
  let answered: Answered[] = [];
  // It holds the addresses of requests, and they hold account numbers.
  writeFileSync(file, '', { mode: 0o600 });
  const take = (coloured: string): void => {
    const text = withoutColours(coloured);
    appendFileSync(file, `${text}\n`);
    const line = read(text);
    if (line.kind === 'request') answered.push(line);
    if (isVerbose) console.log(coloured);
    else if (line.kind === 'failure') console.error(text);
    else if (last.push(text) > LAST_LINES) last.shift();
  };
  for (const input of outputs) createInterface({ input }).on('line', take);
  setInterval(() => {
    if (answered.length > 0 && !isVerbose) console.log(`${new Date().toTimeString().slice(0, 8)}  ${sumOf(answered)}`);
    answered = [];
  }, SECOND).unref();
  return () => last.join('\n');
}
