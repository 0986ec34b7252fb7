/**
 * The product beside a peer that does the same work: Fastify and the PostgreSQL of Debian (`apt-get install postgresql`), with the
 * product's own checks, digests and rows. Needs `npm ci` in `bench/peer` once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { ROOT, stop } from '../scripts/local.ts';
import { importing } from './cases.ts';
import { cpuOf, cpuSince, processesBelow } from './cpu.ts';
import { type Cost, pairs, round, table } from './figures.ts';
import { type AccountText, bulkBody, type Payloads } from './payloads.ts';
import type { PeerRatios } from './promises.ts';
import { type Options, roundsOf, rowOf, sizeOf } from './ratios.ts';
import { SIGNING_KEY, until } from './seeding.ts';
import type { Server } from './servers.ts';

const FOLDER = join(ROOT, 'bench/peer');
const DEBIAN = '/usr/lib/postgresql';

interface Peer {
  readonly origin: string;
  readonly children: readonly ChildProcess[];
  suppliers: number;
}

export async function peerTable(product: Server, payloads: Payloads, options: Options): Promise<PeerRatios & { readonly text: string }> {
  const state = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  const children: ChildProcess[] = [];
  try {
    const peer = await startPeer(state, children);
    const size = sizeOf(options)(10_000);
    const compared = async (payload: AccountText) => {
      const work = importing(payload, size);
      return pairs([() => work(product), () => imported(peer, payload, size, product.token)], roundsOf(options));
    };
    const [small, full] = [await compared(payloads.small), await compared(payloads.full)];
    const perSecond = (figure: { readonly perSecond: number }) => `${round(figure.perSecond)} /s`;
    const rows = [rowOf('bulk, small accounts', small, perSecond), rowOf('bulk, accounts of 5 KB', full, perSecond)];
    const head = ['what', 'CPU, peer / product', 'rate, product / peer', 'CPU µs each', 'product', 'peer'];
    return { text: table(head, rows), small: small.cpu, full: full.cpu };
  } finally {
    for (const child of children.toReversed()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill('SIGINT')) await ended;
    }
    rmSync(state, { recursive: true, force: true });
  }
}

async function startPeer(state: string, children: ChildProcess[]): Promise<Peer> {
  const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).at(-1) : undefined;
  if (version === undefined) stop(`The peer needs the PostgreSQL of Debian in ${DEBIAN}: apt-get install postgresql`);
  if (!existsSync(join(FOLDER, 'node_modules'))) stop('The peer needs its packages: run npm ci in bench/peer.');
  const program = (name: string) => join(DEBIAN, version, 'bin', name);
  // PostgreSQL refuses to run as root.
  const as = process.getuid?.() === 0 ? userOf('postgres') : {};
  chmodSync(state, 0o777);
  const data = join(state, 'data');
  const run = (command: string, args: readonly string[]) => spawn(command, args, { ...as, cwd: state, stdio: 'ignore' });
  await new Promise((resolve) => run(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust']).once('exit', resolve));
  children.push(run(program('postgres'), ['-D', data, '-k', state, '-h', '']));
  await until(() => Promise.resolve(existsSync(join(state, '.s.PGSQL.5432'))));
  const work = join(ROOT, 'node_modules/.cache/bench-peer-work.mjs');
  await build({
    entryPoints: [join(FOLDER, 'work.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: work,
    logLevel: 'warning',
  });
  const server = spawn(process.execPath, [join(FOLDER, 'server.ts'), work, state, SIGNING_KEY], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(server);
  const [origin] = await new Promise<string[]>((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', (line) => resolve([line]));
    server.once('exit', () => reject(new Error('the peer did not start')));
  });
  return { origin: origin ?? '', children, suppliers: 0 };
}

/** The user that Debian makes for it. */
function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const line =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${name}:`)) ?? '';
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** From the first byte posted to the last account PROCESSED; the CPU of Node and of all of PostgreSQL. */
async function imported(peer: Peer, payload: AccountText, count: number, token: string): Promise<Cost> {
  const id = ++peer.suppliers;
  const code = `B-${id}`;
  const json = async (path: string, options?: RequestInit): Promise<{ readonly isDone?: boolean; readonly done?: number }> =>
    JSON.parse(await (await fetch(`${peer.origin}${path}`, options)).text());
  await json(`/suppliers?id=${id}&code=${code}`, { method: 'POST' });
  const numbers = Array.from({ length: count }, (_, i) => `EXT-${String(i).padStart(9, '0')}`);
  const body = bulkBody(payload, code, numbers);
  const server = { pids: peer.children.flatMap(({ pid }) => (pid === undefined ? [] : [pid, ...processesBelow(pid)])) };
  const cpu = cpuOf(server);
  const started = performance.now();
  const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${token}` };
  const answer = await (await fetch(`${peer.origin}/bulk?supplier=${id}`, { method: 'POST', headers, body })).text();
  if (!answer.endsWith(`{"done":true,"lines":${count}}\n`)) throw new Error(answer.slice(0, 500));
  await until(async () => (await json(`/done?supplier=${id}&number=${numbers.at(-1)}`)).isDone === true);
  await until(async () => (await json(`/counts?supplier=${id}`)).done === count);
  return { milliseconds: performance.now() - started, cpu: cpuSince(server, cpu), count };
}
