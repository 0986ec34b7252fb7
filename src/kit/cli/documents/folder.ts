/** The files of a folder as documents: where each goes, and what its bytes are. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Bytes } from '../../client';
import { UsageError } from '../exit';

export interface LocalDocument {
  readonly file: string;
  /** The path below the supplier's root. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface Folder {
  readonly documents: readonly LocalDocument[];
  /** Files and folders that were left out because their names begin with a dot. */
  readonly hidden: number;
}

/** Throws {@link UsageError} where there is no such folder, or no file in it. */
export async function filesIn(folder: string): Promise<Folder> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
  const documents: LocalDocument[] = [];
  let hidden = 0;
  const look = async (inside: string): Promise<void> => {
    const entries = await readdir(inside, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = join(inside, entry.name);
      if (entry.name.startsWith('.')) hidden++;
      else if (entry.isDirectory()) await look(file);
      else {
        // A link counts as the file it leads to; folders are not followed, they may lead in circles.
        const found = await stat(file).catch(() => undefined);
        const path = relative(folder, file).split(sep).join('/').normalize('NFC');
        if (!found || found.isFile()) documents.push({ file, path, size: found?.size ?? 0 });
      }
    }
  };
  await look(folder);
  if (documents.length === 0) throw new UsageError(`${folder} holds no file: nothing was uploaded.`);
  return { documents, hidden };
}

/** MD5 in hex, as the bucket gives it, and SHA-256 in base64, as an upload is verified by. */
export async function digestsOf(file: string): Promise<{ readonly md5: string; readonly sha256: string }> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  for await (const part of createReadStream(file)) {
    md5.update(part);
    sha256.update(part);
  }
  return { md5: md5.digest('hex'), sha256: sha256.digest('base64') };
}

/** The bytes of a file for an upload; `broken` is called where it cannot be read to the end, or is no longer of its size. */
export const bytesOf = ({ file, size }: LocalDocument, broken: (reason: Error) => void): Bytes => ({
  size,
  stream: () => {
    const parts = partsOf(file, size, broken);
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    });
  },
});

async function* partsOf(file: string, size: number, broken: (reason: Error) => void): AsyncGenerator<Uint8Array> {
  let left = size;
  try {
    for await (const part of createReadStream(file)) {
      const bytes: Uint8Array = part;
      left -= bytes.byteLength;
      if (left < 0) break;
      yield bytes;
    }
    if (left !== 0) throw new Error('The file has changed while it was uploaded.');
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    broken(reason);
    throw reason;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.eml': 'message/rfc822',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
};

/** By the ending of its name. */
export function mediaTypeOf(path: string): string {
  const ending = extname(path).toLowerCase();
  return (Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined) ?? 'application/octet-stream';
}
