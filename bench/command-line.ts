/** Lines a second of what the command line adds: the whole program, from its start to its summary, as an importer runs it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/local.ts';
import { loads, median, round, table } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { importedAccounts, newSupplier } from './seeding.ts';
import type { Server, Supplier } from './servers.ts';

const PROGRAM = join(ROOT, 'dist/cli/data-import.js');
const API_KEY = `sk_live_${'b'.repeat(43)}`;
const ACCOUNTS = 1_000;
/** What an importer may count on, wherever the service and the program share a machine of two cores. */
const PROMISED = 1_000;

const KINDS = ['notes', 'transactions', 'statements'] as const;

export async function commandLineTable(server: Server, payloads: Payloads, { quick }: { readonly quick?: boolean }): Promise<string> {
  const before = loadavg();
  const hash = createHash('sha256').update(API_KEY).digest('hex');
  await server.DB.prepare(
    "INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES ('key_cli', 'org_bench', 'cli', ?, 0)",
  )
    .bind(hash)
    .run();
  const [lines, rounds] = quick ? [5_000, 1] : [20_000, 3];
  const folder = mkdtempSync(join(tmpdir(), 'bench-cli-'));
  try {
    const rows: string[][] = [];
    for (const kind of KINDS) {
      const speeds: number[] = [];
      for (let one = 0; one < rounds; one++) speeds.push(await speedOf(server, join(folder, `${kind}.ndjson`), kind, payloads, lines));
      const speed = median(speeds);
      rows.push([kind, lines.toLocaleString('en'), round(speed), speed >= PROMISED ? 'kept' : 'missed']);
    }
    return `${table(['what', 'lines', 'lines a second', `${PROMISED.toLocaleString('en')} promised`], rows)}\n\nLoad average ${loads(before, loadavg())}.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds one item a line to accounts of a new supplier, by turns. */
async function speedOf(server: Server, file: string, kind: (typeof KINDS)[number], payloads: Payloads, lines: number): Promise<number> {
  const supplier: Supplier = await newSupplier(server);
  await importedAccounts(server, supplier, ACCOUNTS);
  writeFileSync(
    file,
    Array.from({ length: lines }, (_, line) => {
      const body = payloads[kind](supplier.code, `EXT-${line % ACCOUNTS}`, `L-${line}`, 1);
      // Of statements the prefix is a folder of documents, and there are none.
      return kind === 'statements' ? body.replace('"S-0"', `"S-${line}"`).replace(/,"statement_path":"[^"]*"/, '') : body;
    }).join('\n'),
  );
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, kind, file, '--json'], {
    env: { ...process.env, DATA_IMPORT_URL: server.origin, DATA_IMPORT_API_KEY: API_KEY },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0 || JSON.parse(stdout).added !== lines) throw new Error(`${kind}: ${stdout}${stderr}`);
  return lines / seconds;
}
