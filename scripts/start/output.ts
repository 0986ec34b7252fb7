/**
 * What the output of wrangler means for a person who watches: requests, failures, and the rest, which the log file has. Pure.
 */

export type Line =
  | { readonly kind: 'request'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'failure' }
  | { readonly kind: 'other' };

/** But for those that `npm start` and an open page of the console send by themselves. */
const REQUEST = /^\[wrangler:info\] [A-Z]+ (?!\/(?:healthz |cdn-cgi\/|operator\/(?!v1\/)))\/\S* (\d{3}) .*\((\d+)ms\)$/;
const FAILURE = /^✘ |^\[wrangler:error\]|^Uncaught |"level":"error"|\bworkerd\/.*: (?:fatal|error)/;
/** The first words of wrangler's own good news: a failure that goes over many lines ends there. */
const NEWS = /^\[wrangler:(?:info|warn)\]|^⎔|^▲|^\{"level":"info"/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;

export const withoutColours = (line: string): string => line.replace(COLOURS, '');

/** Reads line after line: those that follow a failure belong to it until wrangler prints something else. */
export function lineReader(): (line: string) => Line {
  let isFailing = false;
  return (line) => {
    const [, status, milliseconds] = REQUEST.exec(line) ?? [];
    if (status !== undefined) {
      isFailing = false;
      return { kind: 'request', status: Number(status), milliseconds: Number(milliseconds) };
    }
    if (FAILURE.test(line)) isFailing = true;
    else if (NEWS.test(line)) isFailing = false;
    return { kind: isFailing ? 'failure' : 'other' };
  };
}

export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
}

/** One line for the requests of a second: how many, how they were answered, how long the slowest took. */
export function sumOf(answered: readonly Answered[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answered) counts.set(status, (counts.get(status) ?? 0) + 1);
  const statuses = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  const slowest = Math.max(...answered.map(({ milliseconds }) => milliseconds));
  return `${answered.length} request${answered.length === 1 ? '' : 's'}: ${statuses.join(', ')}; slowest ${slowest} ms`;
}
