/** The product beside the floor. */
import { cpus, loadavg } from 'node:os';
import { addingNotes, addingStatements, addingTransactions, creating, importing, readingStatus, readList, validating } from './cases.ts';
import { loads, round, rounds, type Summary, table, verdict, type Work } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { importedAccounts, newSupplier, type Server, type Supplier } from './servers.ts';

const HEAD = ['what', 'product', 'floor', 'ratio', 'ratio of CPU', 'CPU µs each', 'promise / stretch', 'against the promise'];

/** The product, and the floor beside it. */
type Sides = readonly [product: Server, floor: Server];

/** `promise` and `stretch` are of the ratio, `own` are promise and stretch of the product's own figure. */
interface Case {
  readonly name: string;
  readonly work: Work;
  readonly unit: 'each' | 'perSecond';
  readonly promise?: number;
  readonly stretch?: number;
  readonly own?: readonly [promise: number, stretch: number];
  readonly isLong?: boolean;
  /** Under which what it costs is compared with another case. */
  readonly key?: 'bare' | 'paths';
}

interface Options {
  readonly quick?: boolean;
  readonly only?: string;
  readonly rounds?: string;
}

const casesOf = (payloads: Payloads, size: (full: number) => number): readonly Case[] => [
  { name: 'validate, small', work: validating(payloads.small, size(300)), unit: 'each' },
  { name: 'validate, 5 KB', work: validating(payloads.full, size(300)), unit: 'each' },
  { name: 'validate, 200 KB', work: validating(payloads.large, size(60)), unit: 'each' },
  { name: 'create, accepted', work: creating(payloads.small, size(400)), unit: 'perSecond', promise: 0.9, stretch: 0.95 },
  {
    name: `bulk, ${size(10_000).toLocaleString('en')} small accounts to PROCESSED`,
    work: importing(payloads.small, size(10_000)),
    unit: 'perSecond',
    promise: 0.6,
    stretch: 0.75,
    own: [12_000, 16_000],
    isLong: true,
  },
  {
    name: `bulk, ${size(10_000).toLocaleString('en')} accounts of 5 KB to PROCESSED`,
    work: importing(payloads.full, size(10_000)),
    unit: 'perSecond',
    own: [2_800, 4_000],
    isLong: true,
  },
  { name: 'status read', work: readingStatus(size(400)), unit: 'each' },
  {
    name: '1,000 transactions in one post',
    work: addingTransactions(payloads.transactions, size(20)),
    unit: 'each',
    promise: 0.7,
    stretch: 0.8,
  },
  { name: '500 notes in one post', work: addingNotes(payloads.notes, size(20)), unit: 'each' },
  { name: '500 statements in one post, no paths', work: addingStatements(payloads.statements, size(20), ''), unit: 'each', key: 'bare' },
  {
    name: '500 statements with paths of one directory',
    work: addingStatements(payloads.statements, size(20), 'bench'),
    unit: 'each',
    key: 'paths',
  },
];

export async function ratioTable(servers: Sides, payloads: Payloads, { quick, only, rounds: wanted }: Options): Promise<string> {
  const size = (full: number) => (quick ? Math.max(5, Math.round(full / 5)) : full);
  const count = Number(wanted ?? (quick ? 2 : 5));
  const rows: string[][] = [];
  const figures: { bare?: number; paths?: number } = {};
  const before = loadavg();
  for (const one of casesOf(payloads, size)) {
    if (only && !one.name.includes(only)) continue;
    const [ours, floor] = await rounds(servers, one.work, one.isLong && !quick ? Math.min(count, 5) : count);
    if (one.key) figures[one.key] = ours.each;
    rows.push(...rowsOf(one, ours, floor));
    console.log(rows.at(-1)?.join(' | '));
  }
  if (figures.bare && figures.paths) {
    const milliseconds = figures.paths - figures.bare;
    rows.push([
      '… of which the look-up of 500 documents',
      `${round(milliseconds)} ms`,
      '',
      '',
      '',
      '',
      '20 / 12 ms',
      verdict(milliseconds, 20, true),
    ]);
  }
  if (!only || 'list of 100,000'.includes(only)) rows.push(...(await listRows(servers, quick ? 3 : 6)));
  return `${table(HEAD, rows)}\n\nMedians of ${count} rounds on ${cpus().length} cores, Node ${process.version}; load average ${loads(before, loadavg())} after.`;
}

function rowsOf({ name, unit, promise, stretch, own }: Case, ours: Summary, floor: Summary): string[][] {
  const printed = (figure: Summary) => (unit === 'perSecond' ? `${round(figure.perSecond)} /s` : `${round(figure.each)} ms`);
  const ratio = unit === 'perSecond' ? ours.perSecond / floor.perSecond : floor.each / ours.each;
  const cells = (promised: string, comparison: string) => [
    name,
    printed(ours),
    printed(floor),
    ratio.toFixed(2),
    (floor.cpuMicroseconds / ours.cpuMicroseconds).toFixed(2),
    `${round(ours.cpuMicroseconds)} / ${round(floor.cpuMicroseconds)}`,
    promised,
    comparison,
  ];
  const first = cells(promise && stretch ? `${promise.toFixed(2)} / ${stretch.toFixed(2)}` : '', verdict(ratio, promise));
  const rows = [first];
  if (own) {
    const absolute: [string, string] = [
      `${own[0].toLocaleString('en')} / ${own[1].toLocaleString('en')} per s`,
      verdict(ours.perSecond, own[0]),
    ];
    if (promise) rows.push(['… by itself', printed(ours), '', '', '', '', ...absolute]);
    else first.splice(6, 2, ...absolute);
  }
  return rows;
}

async function listRows(servers: Sides, count: number): Promise<string[][]> {
  const suppliers = new Map<Server, Supplier>();
  for (const server of servers) {
    const supplier = await newSupplier(server);
    await importedAccounts(server, supplier, 100_000);
    suppliers.set(server, supplier);
  }
  const listOf = (server: Server) => {
    const supplier = suppliers.get(server);
    if (!supplier) throw new Error('no list was made on this server');
    return readList(server, supplier, 100_000);
  };
  const [ours, floor] = await rounds(servers, listOf, count);
  const row = (name: string, figure: 'milliseconds' | 'firstByte', promised: string, promise: number) => [
    name,
    `${round(ours[figure])} ms`,
    `${round(floor[figure])} ms`,
    (floor[figure] / ours[figure]).toFixed(2),
    figure === 'milliseconds' ? (floor.cpuMicroseconds / ours.cpuMicroseconds).toFixed(2) : '',
    figure === 'milliseconds' ? `${round(ours.cpuMicroseconds)} / ${round(floor.cpuMicroseconds)}` : '',
    promised,
    verdict(ours[figure], promise, true),
  ];
  return [row('list of 100,000 accounts', 'milliseconds', '300 / 200 ms', 300), row('… first byte', 'firstByte', '50 / 20 ms', 50)];
}
