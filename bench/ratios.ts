/** The product beside the floor. */
import { cpus, loadavg } from 'node:os';
import { addingNotes, addingStatements, addingTransactions, creating, importing, readingStatus, readList, validating } from './cases.ts';
import { loads, type Paired, pairs, round, type Summary, table, type Work } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { importedAccounts, newSupplier } from './seeding.ts';
import type { Server, Supplier } from './servers.ts';

/** The product, and what runs beside it. */
export type Sides = readonly [product: Server, other: Server];

/** Cases that something is promised of. */
export type CaseName = 'validate' | 'create' | 'bulkSmall' | 'bulkFull' | 'status' | 'transactions' | 'notes';

/** What was measured of them. */
export type Ratios = { [Name in CaseName]?: Paired };

interface Case {
  readonly name: string;
  readonly work: Work;
  readonly unit: 'each' | 'perSecond';
  readonly as?: CaseName | 'bare' | 'paths';
}

export interface Options {
  readonly quick?: boolean | undefined;
  readonly only?: string | undefined;
  readonly rounds?: string | undefined;
}

/** How much of a case is done, and how often. */
export const sizeOf =
  ({ quick }: Options) =>
  (full: number): number =>
    quick ? Math.max(5, Math.round(full / 5)) : full;
export const roundsOf = ({ quick, rounds }: Options): number => Number(rounds ?? (quick ? 3 : 7));

/** Additions in a row; fewer would measure code that V8 has not compiled yet. */
const POSTS = 40;

const casesOf = (payloads: Payloads, size: (full: number) => number): readonly Case[] => [
  { name: 'validate, small', work: validating(payloads.small, size(300)), unit: 'each', as: 'validate' },
  { name: 'validate, 5 KB', work: validating(payloads.full, size(300)), unit: 'each' },
  { name: 'validate, 200 KB', work: validating(payloads.large, size(60)), unit: 'each' },
  { name: 'create, one by one, to PROCESSED', work: creating(payloads.small, size(400)), unit: 'perSecond', as: 'create' },
  {
    name: `bulk, ${size(10_000).toLocaleString('en')} small accounts to PROCESSED`,
    work: importing(payloads.small, size(10_000)),
    unit: 'perSecond',
    as: 'bulkSmall',
  },
  {
    name: `bulk, ${size(10_000).toLocaleString('en')} accounts of 5 KB to PROCESSED`,
    work: importing(payloads.full, size(10_000)),
    unit: 'perSecond',
    as: 'bulkFull',
  },
  { name: 'status read', work: readingStatus(size(400)), unit: 'each', as: 'status' },
  { name: '1,000 transactions in one post', work: addingTransactions(payloads.transactions, POSTS), unit: 'each', as: 'transactions' },
  { name: '500 notes in one post', work: addingNotes(payloads.notes, POSTS), unit: 'each', as: 'notes' },
  { name: '500 statements in one post, no paths', work: addingStatements(payloads.statements, POSTS, ''), unit: 'each', as: 'bare' },
  {
    name: '500 statements with paths of one directory',
    work: addingStatements(payloads.statements, POSTS, 'bench'),
    unit: 'each',
    as: 'paths',
  },
];

/** `other` is what the second side is called. */
export async function ratioTable(
  sides: Sides,
  payloads: Payloads,
  options: Options,
  other = 'floor',
): Promise<{ readonly text: string; readonly ratios: Ratios }> {
  const count = roundsOf(options);
  const rows: string[][] = [];
  const measured = new Map<Case['as'], Paired>();
  const before = loadavg();
  for (const one of casesOf(payloads, sizeOf(options))) {
    if (options.only && !one.name.includes(options.only)) continue;
    const paired = await besideEachOther(sides, one.work, count);
    measured.set(one.as, paired);
    rows.push(
      rowOf(one.name, paired, (figure) => (one.unit === 'perSecond' ? `${round(figure.perSecond)} /s` : `${round(figure.each)} ms`)),
    );
    console.log(rows.at(-1)?.join(' | '));
  }
  const [bare, paths] = [measured.get('bare'), measured.get('paths')];
  if (bare && paths)
    rows.push(['… of which the look-up of 500 documents', '', '', '', `${round(paths.first.each - bare.first.each)} ms`, '']);
  if (!options.only || 'list of 100,000'.includes(options.only)) rows.push(...(await listRows(sides, count)));
  const head = ['what', `CPU, ${other} / product`, `rate, product / ${other}`, 'CPU µs each', 'product', other];
  const notes = `Medians of ${count} pairs on ${cpus().length} cores, Node ${process.version}; load average ${loads(before, loadavg())} after.`;
  return { text: `${table(head, rows)}\n\n${notes}`, ratios: Object.fromEntries([...measured].filter(([as]) => as !== undefined)) };
}

const besideEachOther = ([product, other]: Sides, work: Work, count: number): Promise<Paired> =>
  pairs([() => work(product), () => work(other)], count);

export const rowOf = (name: string, { first, second, cpu, rate }: Paired, figure: (summary: Summary) => string): string[] => [
  name,
  cpu.toFixed(2),
  rate.toFixed(2),
  `${round(first.cpuMicroseconds)} / ${round(second.cpuMicroseconds)}`,
  figure(first),
  figure(second),
];

async function listRows(sides: Sides, count: number): Promise<string[][]> {
  const suppliers = new Map<Server, Supplier>();
  for (const server of sides) {
    const supplier = await newSupplier(server);
    await importedAccounts(server, supplier, 100_000);
    suppliers.set(server, supplier);
  }
  const listOf = (server: Server) => {
    const supplier = suppliers.get(server);
    if (!supplier) throw new Error('no list was made on this server');
    return readList(server, supplier, 100_000);
  };
  const paired = await besideEachOther(sides, listOf, count);
  const { first, second } = paired;
  return [
    rowOf('list of 100,000 accounts', paired, ({ milliseconds }) => `${round(milliseconds)} ms`),
    [
      '… first byte',
      '',
      (second.firstByte / first.firstByte).toFixed(2),
      '',
      `${round(first.firstByte)} ms`,
      `${round(second.firstByte)} ms`,
    ],
  ];
}
