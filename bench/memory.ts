/**
 * What the Worker's isolate holds while much goes through it: whole lists, a reader that stops, bodies of bulk. Alive is what a
 * collection leaves; the highest figure has garbage in it. What is not flat is an error, so that the exit code of the command says so.
 */
import { loadavg } from 'node:os';
import type { Pure } from './bundle.ts';
import { pathsOf } from './cases.ts';
import { loads, round, table } from './figures.ts';
import { HEAP_MEGABYTES, type Inspected, startInspected } from './inspected.ts';
import { type Passed, type Watch, type Watched, watched } from './inspector.ts';
import { type AccountText, bulkBody, type Payloads } from './payloads.ts';
import { importedAccounts, newSupplier, request, type Supplier } from './servers.ts';

const MEGABYTE = 1_000_000;
const SAMPLE_BYTES = 2 * MEGABYTE;
/** The least a listed account takes. */
const ITEM_BYTES = 120;
const IN_A_ROW = 10;
/** How much more than before may be alive: next to nothing, a slice, all that becomes of the bodies of one claim. */
const MORE_MEGABYTES = { list: 4, validate: 16, create: 48 };
/** How much the processes may grow while nothing moves: what a stopped reader leaves to the sockets is not theirs. */
const HELD_MEGABYTES = 32;

const HEAD = ['what', 'body', 'first byte', 'alive before', 'alive half way', 'highest', 'alive after', 'process, while held'];
type Kind = keyof typeof MORE_MEGABYTES;

const printed = (count: number) => count.toLocaleString('en');
const megabytes = (bytes: number | undefined) => (bytes === undefined ? '' : `${(bytes / MEGABYTE).toFixed(1)} MB`);

export async function memoryTable(
  { issueToken }: Pure,
  payloads: Payloads,
  { quick, only }: { readonly quick?: boolean; readonly only?: string },
): Promise<string> {
  const sizes = quick ? [100_000, 300_000] : [100_000, 300_000, 1_000_000];
  const bodies: readonly (readonly [size: string, payload: AccountText, count: number])[] = [
    ['5 KB', payloads.full, quick ? 2_000 : 10_000],
    ['200 KB', payloads.large, quick ? 40 : 320],
  ];
  const lists: { readonly count: number; readonly supplier: Supplier }[] = [];
  const targets: Supplier[] = [];
  const server = await startInspected(issueToken, async (seeding) => {
    for (const count of [1_000, ...sizes]) {
      const supplier = await newSupplier(seeding);
      await importedAccounts(seeding, supplier, count);
      lists.push({ count, supplier });
    }
    targets.push(await newSupplier(seeding));
  });
  const rows: string[][] = [];
  const measure = async (kind: Kind, name: string, work: (watch: Watch) => Promise<Passed>) => {
    if (!only || name.includes(only)) rows.push(rowOf(kind, name, await watched(server, work)));
  };
  const before = loadavg();
  try {
    const [warmUp, ...measured] = lists;
    if (warmUp) await readWhole(server, warmUp.supplier, warmUp.count);
    for (const { count, supplier } of measured) {
      await measure('list', `list of ${printed(count)}`, (watch) => readWhole(server, supplier, count, watch));
      await measure('list', `list of ${printed(count)}, reader stops at once, then leaves`, (watch) => leave(server, supplier, watch));
      if (count === sizes[0])
        await measure('list', `list of ${printed(count)}, ${IN_A_ROW} times in a row`, (watch) => inARow(server, supplier, count, watch));
    }
    for (const importing of targets)
      for (const [size, payload, count] of bodies) {
        const numbers = Array.from({ length: count }, (_, i) => `${size}-${i}`);
        const body = Buffer.from(bulkBody(payload, importing.code, numbers));
        const send = (mode: 'validate' | 'create') => (watch: Watch) => post(server, importing, { mode, body, count }, watch);
        await measure('validate', `bulk, validate, ${printed(count)} of ${size}`, send('validate'));
        await measure('create', `bulk, create, ${printed(count)} of ${size}, to PROCESSED`, send('create'));
      }
  } finally {
    await server.close();
  }
  return `${table(HEAD, rows)}\n\nOld space limited to ${HEAP_MEGABYTES} MB; load average ${loads(before, loadavg())} after.`;
}

function rowOf(kind: Kind, name: string, { bytes, firstByte, before, alive, highest, after, grown }: Watched): string[] {
  const first = firstByte === undefined ? '' : `${round(firstByte)} ms`;
  const row = [name, ...[bytes].map(megabytes), first, ...[before, alive, highest, after, grown].map(megabytes)];
  console.log(row.join(' | '));
  const more = Math.max(alive, after) - before;
  if (more > MORE_MEGABYTES[kind] * MEGABYTE) throw new Error(`not flat: ${name}: ${megabytes(more)} more are alive than before`);
  if ((grown ?? 0) > HELD_MEGABYTES * MEGABYTE) throw new Error(`not held back: ${name}: the processes grew by ${megabytes(grown)}`);
  return row;
}

async function open(server: Inspected, supplier: Supplier) {
  const headers = { Authorization: `Token ${server.token}`, 'Accept-Encoding': 'identity' };
  const started = performance.now();
  const { body } = await fetch(`${server.origin}${pathsOf(server).list(supplier)}`, { headers });
  if (!body) throw new Error('the list has no body');
  const reader = body.getReader();
  const { value = new Uint8Array() } = await reader.read();
  return { reader, first: value, firstByte: performance.now() - started };
}

/** The reader looks now and then, and holds half way. */
async function readWhole(server: Inspected, supplier: Supplier, count: number, watch?: Watch) {
  const { reader, first, firstByte } = await open(server, supplier);
  const pieces = [first];
  let bytes = first.length;
  let sampled = 0;
  let isHeld = false;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    bytes += next.value.length;
    if (watch && !isHeld && 2 * bytes > count * ITEM_BYTES) {
      isHeld = true;
      await watch.look();
      await watch.hold();
    } else if (bytes > sampled + SAMPLE_BYTES) {
      sampled = bytes;
      await watch?.sample();
    }
  }
  const listed = JSON.parse(Buffer.concat(pieces).toString()).length;
  if (listed !== count) throw new Error(`${listed} of ${count} listed`);
  return { bytes, firstByte };
}

async function leave(server: Inspected, supplier: Supplier, watch: Watch) {
  const { reader, firstByte } = await open(server, supplier);
  await watch.hold();
  await reader.cancel();
  return { firstByte };
}

async function inARow(server: Inspected, supplier: Supplier, count: number, watch: Watch) {
  let bytes = 0;
  for (let i = 1; i < IN_A_ROW; i++) bytes += (await readWhole(server, supplier, count)).bytes;
  const last = await readWhole(server, supplier, count, watch);
  return { ...last, bytes: bytes + last.bytes };
}

/** The sender looks before each piece, and holds half way. What was created is waited for. */
async function post(
  server: Inspected,
  supplier: Supplier,
  { mode, body, count }: { readonly mode: 'validate' | 'create'; readonly body: Buffer; readonly count: number },
  watch: Watch,
) {
  async function* pieces() {
    for (let from = 0; from < body.length; from += SAMPLE_BYTES) {
      const isHalfWay = from <= body.length / 2 && from + SAMPLE_BYTES > body.length / 2;
      await (isHalfWay ? watch.look() : watch.sample());
      if (isHalfWay && mode === 'validate') await watch.hold();
      yield body.subarray(from, from + SAMPLE_BYTES);
    }
  }
  const headers = { Authorization: `Token ${server.token}`, 'Content-Type': 'application/x-ndjson' };
  const url = `${server.origin}/v2/data-import/accounts/bulk/?mode=${mode}`;
  const answer = await fetch(url, { method: 'POST', headers, body: ReadableStream.from(pieces()), duplex: 'half' });
  const text = await answer.text();
  const good = text.split(mode === 'validate' ? '"VALID"' : '"SCHEDULED"').length - 1;
  if (good !== count || !text.endsWith(`{"done":true,"lines":${count}}\n`)) throw new Error(`${good} of ${count}: ${text.slice(-500)}`);
  const unfinished = () => request(server, 'GET', `/v1/data-import/pending-account-import-processes/${supplier.code}/?limit=1`);
  while ((await unfinished()) !== '[]') await watch.look();
  return { bytes: body.length };
}
