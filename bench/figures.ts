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

/** Two works beside each other: what each cost, and the medians of the ratios of each pair of rounds. Above 1 the first is the better one. */
export interface Paired {
  readonly first: Summary;
  readonly second: Summary;
  /** CPU of the second by that of the first. */
  readonly cpu: number;
  /** Rate of the first by that of the second. */
  readonly rate: number;
}

type Sides = readonly [first: () => Promise<Cost>, second: () => Promise<Cost>];

/** Runs both by turns, in changing order, so that what disturbs the machine disturbs both. One pair more warms up and is dropped. */
export async function pairs([first, second]: Sides, count: number): Promise<Paired> {
  const taken: (readonly [Cost, Cost])[] = [];
  for (let round = 0; round <= count; round++) {
    const isSwapped = round % 2 === 1;
    const early = await (isSwapped ? second : first)();
    const late = await (isSwapped ? first : second)();
    if (round > 0) taken.push(isSwapped ? [late, early] : [early, late]);
  }
  return {
    first: summary(taken.map(([one]) => one)),
    second: summary(taken.map(([, other]) => other)),
    cpu: median(taken.map(([one, other]) => other.cpu / other.count / (one.cpu / one.count))),
    rate: median(taken.map(([one, other]) => other.milliseconds / other.count / (one.milliseconds / one.count))),
  };
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
