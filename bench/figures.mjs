/** Rounds, medians and how figures are written. */

export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Runs the case on each server by turns, so that what disturbs the machine disturbs both. One round more warms up and is dropped. */
export async function rounds(servers, work, count) {
  const taken = servers.map(() => []);
  for (let round = 0; round <= count; round++) {
    for (const [i, server] of servers.entries()) {
      const result = await work(server);
      if (round > 0) taken[i].push(result);
    }
  }
  return taken.map(summary);
}

function summary(results) {
  const of = (field) => median(results.map((result) => result[field]));
  return {
    milliseconds: of('milliseconds'),
    firstByte: of('firstByte'),
    cpuMicroseconds: median(results.map(({ cpu, count }) => (1000 * cpu) / count)),
    perSecond: median(results.map(({ milliseconds, count }) => (1000 * count) / milliseconds)),
    each: median(results.map(({ milliseconds, count }) => milliseconds / count)),
  };
}

export const round = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** A Markdown table. */
export const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What is promised of a figure, and by how much it falls short. */
export function verdict(value, promise, isLess) {
  if (promise === undefined) return '';
  const falls = isLess ? value / promise - 1 : 1 - value / promise;
  return falls <= 0 ? 'kept' : `${(100 * falls).toFixed(0)} % short`;
}
