/** CPU of validation beside bare JSON.parse, in plain Node; bundle and startup. */
import { bundleSizes, type Pure } from './bundle.ts';
import { median, round, table, verdict } from './figures.ts';
import type { Payloads } from './payloads.ts';

/** `promise` and `stretch` are of how much longer it takes than bare JSON.parse. */
interface Case {
  readonly name: string;
  readonly text: string;
  readonly times: number;
  readonly promise?: number;
  readonly stretch?: number;
  run(): unknown;
}

interface Account {
  readonly customers: readonly { readonly mobile?: string; readonly landline?: string; readonly alternative_phone_numbers?: unknown }[];
}

/** Microseconds of CPU of each piece of work, by turns: time on the clock would measure the neighbours as well. */
function microseconds(works: readonly { readonly times: number; run(): unknown }[], seconds: number): number[] {
  const taken = works.map((): number[] => []);
  const until = performance.now() + 1000 * seconds;
  for (let first = true; first || performance.now() < until; first = false) {
    for (const [i, work] of works.entries()) {
      const before = process.threadCpuUsage();
      for (let n = 0; n < work.times; n++) work.run();
      const { user, system } = process.threadCpuUsage(before);
      taken[i]?.push((user + system) / work.times);
    }
  }
  return taken.map((values) => median(values.slice(values.length >> 2)));
}

export function validationTable(pure: Pure, payloads: Payloads, { quick }: { readonly quick?: boolean }): string {
  const [small, full, many] = [
    payloads.small('SUP', 'EXT-1'),
    payloads.full('SUP', 'EXT-1'),
    payloads.transactions('SUP', 'EXT-1', 'T', 1_000),
  ] as const;
  const whole: Account = JSON.parse(full);
  const withoutPhones = JSON.stringify({
    ...whole,
    customers: whole.customers.map(({ mobile, landline, alternative_phone_numbers, ...rest }) => rest),
  });
  const now = Date.now();
  // Numbers differ from account to account, as an import's do.
  let line = 0;
  const otherPhones = (body: Account) => {
    line += 1;
    const mobile = `07400 ${String(100_000 + (line % 800_000))}`;
    return { ...body, customers: body.customers.map((customer, i) => (i === 0 ? { ...customer, mobile } : customer)) };
  };
  const check = (errors: readonly object[]) => {
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  };
  const checking = (text: string) => () => check(pure.accountErrors(otherPhones(JSON.parse(text)), now));
  const cases: readonly Case[] = [
    { name: 'small account, 2 phones', text: small, times: 6_000, run: checking(small) },
    { name: '5 KB account, 3 phones', text: full, times: 1_500, run: checking(full) },
    {
      name: '5 KB account without phones',
      text: withoutPhones,
      times: 1_500,
      promise: 1.6,
      stretch: 1.4,
      run: () => pure.accountErrors(JSON.parse(withoutPhones), now),
    },
    {
      name: '1,000 transactions',
      text: many,
      times: 60,
      promise: 1.6,
      stretch: 1.3,
      run: () => check(pure.transactionErrors(JSON.parse(many))),
    },
  ];
  const rows = cases.map(({ name, text, times, run, promise, stretch }) => {
    const [bare = Number.NaN, ours = Number.NaN] = microseconds(
      [
        { times, run: () => JSON.parse(text) },
        { times, run },
      ],
      quick ? 0.5 : 2,
    );
    return [
      name,
      `${round(ours)} µs`,
      `${round(bare)} µs`,
      (ours / bare).toFixed(2),
      promise ? `${promise} / ${stretch}` : '',
      verdict(ours / bare, promise, true),
    ];
  });
  const { kibibytes, startup } = bundleSizes();
  return [
    table(
      ['validating, JSON.parse included', 'product', 'bare JSON.parse', 'times JSON.parse', 'promise / stretch', 'against the promise'],
      rows,
    ),
    '',
    `Bundle: ${kibibytes.toFixed(1)} KiB gzip. Startup: ${startup.toFixed(0)} ms of CPU to evaluate it in Node.`,
  ].join('\n');
}
