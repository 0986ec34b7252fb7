/** Rounds, medians and how figures are written. */
import type { Server } from './servers.ts';

/** What a case cost, `count` being how often it did what is measured; CPU in milliseconds. */
export interface Cost {
  readonly milliseconds: number;
  readonly cpu: number;
  readonly count: number;
  readonly firstByte?: number;
}

export interface Summary {
  readonly milliseconds: number;
  readonly firstByte: number;
  readonly cpuMicroseconds: number;
  readonly perSecond: number;
  readonly each: number;
}

export type Work = (server: Server) => Promise<Cost>;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

/** Runs the case on each server by turns, so that what disturbs the machine disturbs both. One round more warms up and is dropped. */
export async function rounds<Each extends readonly Server[]>(
  servers: Each,
  work: Work,
  count: number,
): Promise<{ [Index in keyof Each]: Summary }>;
export async function rounds(servers: readonly Server[], work: Work, count: number): Promise<Summary[]> {
  const taken = servers.map((): Cost[] => []);
  for (let round = 0; round <= count; round++) {
    for (const [i, server] of servers.entries()) {
      const result = await work(server);
      if (round > 0) taken[i]?.push(result);
    }
  }
  return taken.map(summary);
}

function summary(results: readonly Cost[]): Summary {
  return {
    milliseconds: median(results.map(({ milliseconds }) => milliseconds)),
    firstByte: median(results.map(({ firstByte = 0 }) => firstByte)),
    cpuMicroseconds: median(results.map(({ cpu, count }) => (1000 * cpu) / count)),
    perSecond: median(results.map(({ milliseconds, count }) => (1000 * count) / milliseconds)),
    each: median(results.map(({ milliseconds, count }) => milliseconds / count)),
  };
}

export const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The load average of a minute, before and after. */
export const loads = (...moments: readonly (readonly number[])[]): string =>
  moments.map(([minute = 0]) => minute.toFixed(1)).join(' before, ');

/** What is promised of a figure, and by how much it falls short. */
export function verdict(value: number, promise: number | undefined, isLess = false): string {
  if (promise === undefined) return '';
  const falls = isLess ? value / promise - 1 : 1 - value / promise;
  return falls <= 0 ? 'kept' : `${(100 * falls).toFixed(0)} % short`;
}
