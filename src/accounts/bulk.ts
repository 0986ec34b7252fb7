/**
 * Bulk (ours, §4.5, §4.6): accounts line by line in, results line by line out, in order, while the body is still coming. Each
 * slice costs one trip and one message. The last line tells that the answer is whole; without it the client sends again what
 * it has no answer for, and nothing is doubled.
 */
import type { Deps } from '../deps';
import { decodeJson } from '../shared/json';
import type { Caller } from '../tokens';
import { type Line, linesOf, MAX_LINE_BYTES, MAX_LINES } from './bulk-lines';
import { type BulkAccount, type BulkMode, type BulkResult, type KnownSuppliers, settleSlice, unreadableLine } from './bulk-slice';
import { readAccount } from './judge';

/** A slice is stored in one trip and sent in one message. */
const SLICE_ACCOUNTS = 500;
const SLICE_BYTES = 2_800_000;

/** NDJSON text, piece by piece, each of whole lines. */
export async function* bulkAccounts(
  deps: Deps,
  caller: Caller,
  mode: BulkMode,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void> {
  const suppliers: KnownSuppliers = new Map();
  let slice = new Slice();
  let lines = 0;
  const settled = async (): Promise<string> => {
    const full = slice;
    slice = new Slice();
    return full.text(await settleSlice(deps, caller, mode, full.accounts, suppliers));
  };
  for await (const arrival of linesOf(body)) {
    if (arrival.kind === 'cut') deps.log.info('body_cut');
    // The answer stays without its last line: it is not whole.
    if (arrival.kind === 'cut' || arrival.kind === 'too_large') return;
    if (arrival.kind === 'pause' && !slice.isEmpty) yield await settled();
    for (const line of arrival.kind === 'lines' ? arrival.lines : []) {
      lines += 1;
      const entry =
        lines > MAX_LINES ? unreadableLine(line.number, 'max_length', `A request holds at most ${MAX_LINES} lines.`) : entryOf(line);
      if (slice.isFullFor(line)) yield await settled();
      slice.add(entry, line);
    }
  }
  if (!slice.isEmpty) yield await settled();
  yield `${JSON.stringify({ done: true, lines })}\n`;
}

function entryOf({ number, bytes }: Line): BulkAccount | BulkResult {
  if (!bytes) return unreadableLine(number, 'payload_too_large', `The line is longer than ${MAX_LINE_BYTES} bytes.`);
  const body = decodeJson(bytes);
  if (body.kind === 'json') return { line: number, text: body.text, read: readAccount(body.value) };
  return unreadableLine(number, 'parse_error', body.detail);
}

const isAccount = (entry: BulkAccount | BulkResult): entry is BulkAccount => 'read' in entry;

/** Lines that are answered together. */
class Slice {
  readonly accounts: BulkAccount[] = [];
  readonly #entries: (BulkAccount | BulkResult)[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  isFullFor(line: Line): boolean {
    if (this.isEmpty) return false;
    return this.#entries.length >= SLICE_ACCOUNTS || this.#bytes + (line.bytes?.byteLength ?? 0) > SLICE_BYTES;
  }

  add(entry: BulkAccount | BulkResult, line: Line): void {
    this.#entries.push(entry);
    this.#bytes += line.bytes?.byteLength ?? 0;
    if (isAccount(entry)) this.accounts.push(entry);
  }

  /** The results of all lines, in order: those given for the accounts, and those that were clear from the line alone. */
  text(settled: readonly BulkResult[]): string {
    const results = new Map(settled.map((result) => [result.line, result]));
    return this.#entries.map((entry) => `${JSON.stringify(isAccount(entry) ? results.get(entry.line) : entry)}\n`).join('');
  }
}
