/**
 * The cases. Each runs once on a server and answers what it cost: `{milliseconds, cpu, count}`, the CPU being that of the workerd
 * which holds Worker, database, bucket and queue together.
 */
import { cpuOf, cpuSince } from './cpu.ts';
import type { Cost, Work } from './figures.ts';
import { type AccountText, type AdditionText, bulkBody } from './payloads.ts';
import { documentsIn, importedAccounts, newSupplier, until, untilProcessed } from './seeding.ts';
import { type Origin, request, type Server, type Supplier } from './servers.ts';

const NDJSON = 'application/x-ndjson';
const CONNECTIONS = 16;

/** Runs `work` and says what it took; `work` may answer the moment it ended. */
async function timed(server: Server, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const cpu = cpuOf(server);
  const started = performance.now();
  const ended = await work();
  return { milliseconds: (typeof ended === 'number' ? ended : performance.now()) - started, cpu: cpuSince(server, cpu), count };
}

/** Requests over as many connections as a busy importer has. */
async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

interface Paths {
  validate(supplier: Supplier): string;
  create(supplier: Supplier): string;
  bulk(supplier: Supplier): string;
  status(supplier: Supplier, number: string): string;
  transactions(supplier: Supplier, account: number, directory: string): string;
  notes(supplier: Supplier, account: number, directory: string): string;
  statements(supplier: Supplier, account: number, directory: string): string;
  list(supplier: Supplier): string;
}

const paths: Paths = {
  validate: () => '/v2/data-import/accounts/validate/',
  create: () => '/v2/data-import/accounts/',
  bulk: () => '/v2/data-import/accounts/bulk/?mode=create',
  status: (supplier, number) => `/v2/data-import/accounts/${supplier.code}/${number}/`,
  transactions: () => '/v1/data-import/transactions/create/',
  notes: () => '/v1/data-import/notes/create/',
  statements: () => '/v1/data-import/historical-statements/create/',
  list: (supplier) => `/v1/data-import/all-account-import-processes/${supplier.code}/`,
};
const floorPaths: Paths = {
  validate: (supplier) => `/validate?supplier=${supplier.id}`,
  create: (supplier) => `/create?supplier=${supplier.id}`,
  bulk: (supplier) => `/bulk?supplier=${supplier.id}`,
  status: (supplier, number) => `/status?supplier=${supplier.id}&number=${number}`,
  transactions: (supplier, account) => `/transactions?supplier=${supplier.id}&account=${account}`,
  notes: (supplier, account) => `/notes?supplier=${supplier.id}&account=${account}`,
  statements: (supplier, account, directory) => `/statements?supplier=${supplier.id}&account=${account}&directory=${directory}`,
  list: (supplier) => `/list?supplier=${supplier.id}`,
};
export const pathsOf = (server: Pick<Origin, 'isFloor'>): Paths => (server.isFloor ? floorPaths : paths);

export const validating =
  (payload: AccountText, count: number): Work =>
  async (server) => {
    const supplier = await newSupplier(server);
    const path = pathsOf(server).validate(supplier);
    const body = payload(supplier.code, 'EXT-V');
    return timed(server, count, () => many(count, () => request(server, 'POST', path, { body })));
  };

/** From the first request to the last account PROCESSED. */
export const creating =
  (payload: AccountText, count: number, { isInRun = false, webhook }: Importing = {}): Work =>
  async (server) => {
    const supplier = await newSupplier(server);
    if (isInRun) await addRun(server, supplier);
    if (webhook === 'with') await addWebhook(server, supplier);
    const of = (number: string) => payload(supplier.code, number);
    const bodies = Array.from({ length: count }, (_, i) => (isInRun ? inRun(of(`EXT-${i}`)) : of(`EXT-${i}`)));
    const path = pathsOf(server).create(supplier);
    return timed(server, count, async () => {
      await many(count, (i) => request(server, 'POST', path, { body: bodies[i] ?? '' }));
      return untilProcessed(server, supplier, count, `EXT-${count - 1}`);
    });
  };

export const importing =
  (payload: AccountText, count: number, into: Importing = {}): Work =>
  async (server) =>
    importInto(
      server,
      await newSupplier(server),
      payload,
      Array.from({ length: count }, (_, i) => `EXT-${String(i).padStart(9, '0')}`),
      into,
    );

/** What an import does beside creating accounts. */
interface Importing {
  /** Its accounts join a run. */
  readonly isInRun?: boolean;
  /** Its events go to a webhook: until it took all of them the import is not over. Without, the minute's work runs all the same. */
  readonly webhook?: 'with' | 'without';
}

/** From the first byte posted to the last account PROCESSED. */
export async function importInto(
  server: Server,
  supplier: Supplier,
  payload: AccountText,
  numbers: readonly string[],
  { isInRun = false, webhook }: Importing = {},
): Promise<Cost> {
  const body = bulkBody(payload, supplier.code, numbers);
  const already = await server.DB.prepare('SELECT count(*) AS done FROM accounts WHERE supplier_id = ?')
    .bind(supplier.id)
    .first<number>('done');
  const run = isInRun ? `&run=${RUN}` : '';
  if (isInRun) await addRun(server, supplier);
  if (webhook === 'with') await addWebhook(server, supplier);
  return timed(server, numbers.length, async () => {
    const answer = await request(server, 'POST', `${pathsOf(server).bulk(supplier)}${run}`, { body, type: NDJSON });
    if (!server.isFloor && !answer.endsWith(`{"done":true,"lines":${numbers.length}}\n`)) throw new Error(answer.slice(0, 500));
    const ended = await untilProcessed(server, supplier, (already ?? 0) + numbers.length, numbers.at(-1) ?? '');
    if (webhook === undefined) return ended;
    await server.everyMinute();
    await untilDelivered(server, supplier);
    return performance.now();
  });
}

const RUN = 'bench';

/** Makes the run that imports in a run join, unless it is there. */
export const addRun = (server: Server, { code }: Supplier) =>
  request(server, 'PUT', `/v2/data-import/runs/${code}/${RUN}/`, { body: '{}' });

const inRun = (account: string): string => JSON.stringify({ payload: JSON.parse(account), task_params: { run: RUN } });

async function addWebhook({ DB }: Server, { code }: Supplier): Promise<void> {
  await DB.prepare(
    `INSERT INTO webhooks (id, organisation_id, url, supplier_codes, start_id, is_enabled, generation, created_at)
     VALUES ('wh_' || ?1, 'org_bench', 'https://receiver.example/events', json_array(?1), (SELECT coalesce(max(id), 0) FROM events), 1, 1, 0)`,
  )
    .bind(code)
    .run();
}

async function untilDelivered({ DB }: Server, { id, code }: Supplier): Promise<void> {
  const waiting = DB.prepare(
    `SELECT (SELECT count(*) FROM webhooks WHERE id = 'wh_' || ?2)
       - (SELECT count(*) FROM webhook_cursors WHERE supplier_id = ?1 AND after_id >= newest_id AND after_id >= (SELECT max(id) FROM events WHERE supplier_id = ?1))
       AS waiting`,
  ).bind(id, code);
  await until(async () => (await waiting.first('waiting')) === 0);
}

export const readingStatus =
  (count: number): Work =>
  async (server) => {
    const supplier = await newSupplier(server);
    await importedAccounts(server, supplier, 100);
    return timed(server, count, () => many(count, (i) => request(server, 'GET', pathsOf(server).status(supplier, `EXT-${i % 100}`))));
  };

/** One post of `size` items to each of `count` accounts. */
const adding =
  (name: 'transactions' | 'notes' | 'statements', payload: AdditionText, size: number, count: number, directory = ''): Work =>
  async (server) => {
    const supplier = await newSupplier(server);
    const first = await importedAccounts(server, supplier, count);
    const folder = directory && (await documentsIn(server, supplier, directory, size));
    const bodies = Array.from({ length: count }, (_, i) =>
      payload(supplier.code, `EXT-${i}`, directory || (name === 'statements' ? '' : 'X'), size),
    );
    return timed(server, count, async () => {
      for (const [i, body] of bodies.entries()) await request(server, 'POST', pathsOf(server)[name](supplier, first + i, folder), { body });
    });
  };
export const addingTransactions = (payload: AdditionText, count: number): Work => adding('transactions', payload, 1_000, count);
export const addingNotes = (payload: AdditionText, count: number): Work => adding('notes', payload, 500, count);
export const addingStatements = (payload: AdditionText, count: number, directory: string): Work =>
  adding('statements', payload, 500, count, directory);

/** What a whole list costs, and that it is whole. */
export async function readList(server: Server, supplier: Supplier, count: number): Promise<Cost> {
  const cpu = cpuOf(server);
  const started = performance.now();
  const response = await fetch(`${server.origin}${pathsOf(server).list(supplier)}`, {
    headers: { Authorization: `Token ${server.token}`, 'Accept-Encoding': 'identity' },
  });
  if (!response.body) throw new Error('the list has no body');
  const pieces: Uint8Array[] = [];
  let firstByte: number | undefined;
  for await (const piece of response.body) {
    firstByte ??= performance.now() - started;
    pieces.push(piece);
  }
  const milliseconds = performance.now() - started;
  const text = Buffer.concat(pieces).toString();
  const listed = JSON.parse(text).length;
  if (listed !== count) throw new Error(`${listed} of ${count} listed`);
  return { milliseconds, firstByte: firstByte ?? milliseconds, cpu: cpuSince(server, cpu), count: 1 };
}
