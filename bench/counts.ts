/** What one operation asks of the platform, counted at the bindings. */
import { importInto, pathsOf } from './cases.ts';
import { round, table } from './figures.ts';
import { bulkBody, type Payloads } from './payloads.ts';
import { documentsIn, importedAccounts, newSupplier, untilProcessed } from './seeding.ts';
import { request, type Server } from './servers.ts';

/** A message costs a write, a read and a delete for each 64 KB; none of ours is larger. */
const OPERATIONS_A_MESSAGE = 3;

const HEAD = ['operation', 'D1 trips', 'rows read', 'rows written', 'R2 calls', 'queue messages', 'queue operations'];

/** `parts`: how many of what is counted `work` does at once. */
type Case = readonly [name: string, parts: number, work: () => Promise<unknown>];

/** What `bench/counted` answers. */
interface Counts {
  readonly trips: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly bucketCalls: number;
  readonly sent: number;
}

/** Counts that something is promised of. */
export interface Counted {
  /** D1 trips of a bulk request of 10,000 lines, in the order that takes the most. */
  readonly trips: number;
  /** Rows written for a small account of a bulk request. */
  readonly rows: number;
}

export async function countsTable(server: Server, payloads: Payloads): Promise<Counted & { readonly text: string }> {
  const paths = pathsOf(server);
  const supplier = await newSupplier(server);
  const first = await importedAccounts(server, supplier, 20);
  const folder = await documentsIn(server, supplier, 'counted', 500);
  const list = await newSupplier(server);
  await importedAccounts(server, list, 100_000);
  const post = (path: string, body: string) => request(server, 'POST', path, { body });
  const { code } = supplier;
  const cases: readonly Case[] = [
    ['validate', 1, () => post(paths.validate(supplier), payloads.small(code, 'V'))],
    ['create, to PROCESSED', 1, () => single(server, payloads)],
    ...Object.entries(ORDERS).map(
      ([name, numberOf]): Case => [
        `${LINES.toLocaleString('en')} bulk lines to be staged, ${name}`,
        1,
        async () =>
          stageLines(
            server,
            payloads,
            Array.from({ length: LINES }, (_, i) => numberOf(i)),
          ),
      ],
    ),
    [SMALL, 20, async () => importInto(server, await newSupplier(server), payloads.small, numbers())],
    ['bulk, 5 KB: for 500 accounts', 20, async () => importInto(server, await newSupplier(server), payloads.full, numbers())],
    ['status read', 1, () => request(server, 'GET', paths.status(supplier, 'EXT-1'))],
    [
      '1,000 transactions',
      1,
      () => post(paths.transactions(supplier, first + 2, folder), payloads.transactions(code, 'EXT-2', 'T', 1_000)),
    ],
    ['500 notes', 1, () => post(paths.notes(supplier, first + 3, folder), payloads.notes(code, 'EXT-3', 'N', 500))],
    [
      '500 statements with paths',
      1,
      () => post(paths.statements(supplier, first + 4, folder), payloads.statements(code, 'EXT-4', 'counted', 500)),
    ],
    ['list of 100,000', 1, () => request(server, 'GET', paths.list(list))],
  ];
  const rows: string[][] = [];
  const found = new Map<string, Counts>();
  for (const [name, parts, work] of cases) {
    await counts(server);
    await work();
    const counted = await counts(server);
    found.set(name, counted);
    const part = (value: number) => (value === 0 ? '0' : round(value / parts).replace(/\.0+$/, ''));
    rows.push([
      name,
      part(counted.trips),
      part(counted.rowsRead),
      part(counted.rowsWritten),
      part(counted.bucketCalls),
      part(counted.sent),
      part(counted.sent * OPERATIONS_A_MESSAGE),
    ]);
  }
  const trips = [...found].filter(([name]) => name.includes('bulk lines')).map(([, counted]) => counted.trips);
  return { text: table(HEAD, rows), trips: Math.max(...trips), rows: (found.get(SMALL)?.rowsWritten ?? Number.NaN) / LINES };
}

const LINES = 10_000;
const SMALL = 'bulk, small: for 500 accounts';
const numberOf = (i: number) => `EXT-${String(i).padStart(9, '0')}`;
const numbers = () => Array.from({ length: LINES }, (_, i) => numberOf(i));

/** Which account the i-th line is of. */
const ORDERS: Readonly<Record<string, (i: number) => string>> = {
  'all distinct': numberOf,
  'each twice, a, a, b, b': (i) => numberOf(i >> 1),
  'two by turns, a, b, a, b': (i) => numberOf(i % 2),
  'all of one account': () => numberOf(0),
};

/** Lines whose window is far ahead, so that nothing of theirs is consumed meanwhile; no two of them alike. */
async function stageLines(server: Server, { small }: Payloads, given: readonly string[]): Promise<void> {
  const { code } = await newSupplier(server);
  const body = bulkBody(
    (_, line) => {
      const [number = '', i] = line.split(' ');
      const account: object = JSON.parse(small(code, number));
      return JSON.stringify({ ...account, billing_name: `Ada Bell ${i}`, task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } });
    },
    code,
    given.map((number, i) => `${number} ${i}`),
  );
  await request(server, 'POST', pathsOf(server).bulk({ id: 0, code }), { body, type: 'application/x-ndjson' });
}

async function counts(server: Server): Promise<Counts> {
  return JSON.parse(await request(server, 'GET', '/bench/counts'));
}

async function single(server: Server, payloads: Payloads): Promise<void> {
  const supplier = await newSupplier(server);
  await request(server, 'POST', pathsOf(server).create(supplier), { body: payloads.small(supplier.code, 'EXT-1') });
  await untilProcessed(server, supplier, 1, 'EXT-1');
}
