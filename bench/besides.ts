/** What runs and webhooks cost an import: the product with them beside itself without. */
import { loadavg } from 'node:os';
import { creating, importing } from './cases.ts';
import { loads, pairs, round, table, verdict, type Work } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { type Options, roundsOf, rowOf, sizeOf } from './ratios.ts';
import type { Server } from './servers.ts';

/** An import may cost three in a hundred more. */
const PROMISE = 0.97;

interface Case {
  readonly name: string;
  readonly with: Work;
  readonly without: Work;
  /** A single create in a run makes a trip more, to read it by its name. */
  readonly hasOwnTrip?: boolean;
}

const casesOf = (payloads: Payloads, size: (full: number) => number): readonly Case[] => {
  const bulk = (into: Parameters<typeof importing>[2]) => importing(payloads.small, size(10_000), into);
  const single = (into: Parameters<typeof creating>[2]) => creating(payloads.small, size(400), into);
  return [
    { name: 'bulk, small, in a run', with: bulk({ isInRun: true }), without: bulk({}) },
    {
      name: 'bulk, small, and the minute that sends its events to a webhook',
      with: bulk({ webhook: 'with' }),
      without: bulk({ webhook: 'without' }),
    },
    { name: 'create, one by one, in a run', with: single({ isInRun: true }), without: single({}), hasOwnTrip: true },
    { name: 'create, one by one, under a webhook', with: single({ webhook: 'with' }), without: single({}) },
  ];
};

export async function besidesTable(product: Server, payloads: Payloads, options: Options): Promise<string> {
  const count = roundsOf(options);
  const before = loadavg();
  const rows: string[][] = [];
  for (const one of casesOf(payloads, sizeOf(options))) {
    if (options.only && !one.name.includes(options.only)) continue;
    const paired = await pairs([() => one.with(product), () => one.without(product)], count);
    rows.push([
      ...rowOf(one.name, paired, ({ perSecond }) => `${round(perSecond)} /s`),
      one.hasOwnTrip ? '' : verdict(paired.cpu, PROMISE),
    ]);
    console.log(rows.at(-1)?.join(' | '));
  }
  const head = ['what', 'CPU, without / with', 'rate, with / without', 'CPU µs each', 'with', 'without', `against the promise, ${PROMISE}`];
  return `${table(head, rows)}\n\nMedians of ${count} pairs; load average ${loads(before, loadavg())} after.`;
}
