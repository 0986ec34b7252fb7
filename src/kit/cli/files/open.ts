/** A file as text, however it comes: regular or on stdin, gzip or not, in UTF-8, UTF-16 or an encoding that is named. */
import { closeSync, createReadStream, mkdtempSync, openSync, read, readSync, rmSync, type Stats, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzipSync, constants as zlib } from 'node:zlib';
import { stoppable, UsageError } from '../exit';

export interface OpenedFile {
  /** As a person knows it. */
  readonly name: string;
  /** What the files beside it are named after. */
  readonly beside: string;
  /** What its bytes are where that is not plain UTF-8, for example `gzip` and `UTF-16`. */
  readonly traits: readonly string[];
  /** The whole text in parts, any number of times; without a byte order mark. Throws {@link UsageError} where bytes are no text. */
  text(bytesAtOnce?: number): AsyncGenerator<string>;
}

const readAt = promisify(read);
const HEAD_BYTES = 64 * 1024;
const BYTES_AT_ONCE = 256 * 1024;

/** Throws {@link UsageError} unless there is a file that can be read as text. `-` is stdin, `encoding` a label such as `windows-1252`. */
export async function openFile(file: string, encoding?: string): Promise<OpenedFile> {
  const name = file === '-' ? 'stdin' : file;
  const bytes = file === '-' ? await storedStdin() : regularFile(file);
  const raw = headOf(bytes);
  if ([0x50, 0x4b, 3, 4].every((byte, index) => raw[index] === byte)) {
    throw new UsageError(`${name} is a workbook or ZIP archive: save the sheet as "CSV UTF-8" and give that file.`);
  }
  const isGzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const form = encodingOf(isGzip ? gunzipHead(raw, name) : raw, encoding);
  return {
    name,
    beside: name,
    traits: [...(isGzip ? ['gzip'] : []), ...(form.trait ? [form.trait] : [])],
    text: (bytesAtOnce = BYTES_AT_ONCE) => decoded(name, partsOf(name, bytes, isGzip, bytesAtOnce), form.label),
  };
}

interface Bytes {
  /** A path, or the number of an open file that has no path any more. */
  readonly at: string | number;
  readonly stats: Stats | undefined;
}

function regularFile(file: string): Bytes {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`There is no file ${file}.`);
  if (!stats.isFile()) throw new UsageError(`${file} is no regular file: name a file, or - for stdin.`);
  return { at: file, stats };
}

/** Stdin is read more than once: its copy has no name, so that nothing of it is left behind whatever ends the program. */
async function storedStdin(): Promise<Bytes> {
  if (process.stdin.isTTY) throw new UsageError('- is stdin: pipe a file into it.');
  const folder = mkdtempSync(join(tmpdir(), 'data-import-'));
  const path = join(folder, 'stdin');
  const at = openSync(path, 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  for await (const part of process.stdin) {
    stoppable().throwIfAborted();
    const bytes: Uint8Array = part;
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(at, bytes, written);
  }
  return { at, stats: undefined };
}

function headOf({ at }: Bytes): Buffer {
  const fd = typeof at === 'number' ? at : openSync(at, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0));
  } finally {
    if (typeof at === 'string') closeSync(fd);
  }
}

function gunzipHead(raw: Buffer, name: string): Buffer {
  try {
    return gunzipSync(raw, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    throw damaged(name);
  }
}

async function* partsOf(name: string, { at, stats }: Bytes, isGzip: boolean, bytesAtOnce: number): AsyncGenerator<Uint8Array> {
  if (stats && typeof at === 'string') {
    const now = statSync(at, { throwIfNoEntry: false });
    if (now?.size !== stats.size || now.mtimeMs !== stats.mtimeMs)
      throw new UsageError(`${name} has changed since it was first read: run the same command again.`);
  }
  const raw = typeof at === 'string' ? createReadStream(at, { highWaterMark: bytesAtOnce }) : Readable.from(storedParts(at, bytesAtOnce));
  if (!isGzip) {
    for await (const part of raw) yield part;
    return;
  }
  const unzipped = raw.pipe(createGunzip({ chunkSize: Math.max(64, bytesAtOnce) }));
  raw.once('error', (error: Error) => unzipped.destroy(error));
  try {
    for await (const part of unzipped) yield part;
  } catch (error) {
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_') ? damaged(name) : error;
  } finally {
    raw.destroy();
  }
}

/** A stream of an open file closes it in the end; this does not. */
async function* storedParts(fd: number, bytesAtOnce: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(bytesAtOnce), 0, bytesAtOnce, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const damaged = (name: string): UsageError => new UsageError(`${name} is damaged or cut short: its gzip data cannot be read to the end.`);

function encodingOf(head: Uint8Array, asked: string | undefined): { readonly label: string; readonly trait: string | undefined } {
  if (asked !== undefined) {
    try {
      const { encoding } = new TextDecoder(asked);
      return { label: encoding, trait: encoding === 'utf-8' ? undefined : encoding };
    } catch {
      throw new UsageError(
        `--encoding ${asked} is not known: take utf-8, utf-16le, windows-1252 or another name of the Encoding Standard.`,
      );
    }
  }
  const [first, second, third] = head;
  if (first === 0xff && second === 0xfe) return { label: 'utf-16le', trait: 'UTF-16' };
  if (first === 0xfe && second === 0xff) return { label: 'utf-16be', trait: 'UTF-16' };
  if (first === 0xef && second === 0xbb && third === 0xbf) return { label: 'utf-8', trait: 'byte order mark' };
  // Neither JSON nor CSV begins with the character zero: half a UTF-16 character does.
  if (head.length > 1 && second === 0 && first !== 0) return { label: 'utf-16le', trait: 'UTF-16' };
  if (head.length > 1 && first === 0 && second !== 0) return { label: 'utf-16be', trait: 'UTF-16' };
  return { label: 'utf-8', trait: undefined };
}

async function* decoded(name: string, parts: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: false });
  let lines = 1;
  const decode = (part?: Uint8Array): string => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode();
    } catch {
      const place = `${name} is not ${label.toUpperCase()} from line ${lines} or a later one on`;
      throw new UsageError(`${place}: save it as UTF-8, or name its encoding, for example --encoding windows-1252.`);
    }
  };
  const signal = stoppable();
  for await (const part of parts) {
    signal.throwIfAborted();
    const text = decode(part);
    if (text !== '') yield text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
