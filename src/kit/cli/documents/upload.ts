/** `documents upload DIR SUPPLIER`: uploads the files of a folder; what is there already with the same content is left as it is. */

import { MAX_DOCUMENT_BYTES } from '../../../shared/sizes';
import { ApiError, type ErrorItem, type StoredDocument } from '../../client';
import type { Connection } from '../access';
import { EXIT, type ExitCode } from '../exit';
import { counted, number, Progress } from '../progress';
import { checkSupplier } from '../sending';
import { countsOf } from '../summary';
import { bytesOf, digestsOf, filesIn, type LocalDocument, mediaTypeOf } from './folder';

export interface UploadOptions {
  readonly folder: string;
  readonly supplier: string;
  readonly connection: Connection;
  readonly isJson: boolean;
}

type Outcome = { readonly kind: 'uploaded' | 'there' } | { readonly kind: 'failed'; readonly code: string; readonly detail: string };

const AT_ONCE = 4;
const CONFLICT = { kind: 'failed', code: 'document_already_exists', detail: 'Another document is at this path.' } as const;

export async function uploadDocuments({ folder, supplier, connection, isJson }: UploadOptions): Promise<ExitCode> {
  const { client, signal, outage } = connection;
  const { documents, hidden } = await filesIn(folder);
  await client.checkAccess({ signal });
  const existing = await existingOf(documents, supplier, connection);
  const counts = { uploaded: 0, there: 0, failed: 0 };
  const codes: string[] = [];
  const shown = () => ({
    finished: counts.uploaded + counts.there + counts.failed,
    total: documents.length,
    failed: counts.failed,
    counts: { uploaded: counts.uploaded, there: counts.there },
    notice: outage.notice,
  });
  const progress = new Progress(shown, isJson);
  // The first that ends in more than a failed document ends all.
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const queue = documents.values();
  const uploadSome = async () => {
    for (const document of queue) {
      both.throwIfAborted();
      const outcome = await uploaded(document, existing.get(document.path), supplier, { ...connection, signal: both });
      counts[outcome.kind]++;
      if (outcome.kind !== 'failed') continue;
      const { code, detail } = outcome;
      codes.push(code);
      progress.print(isJson ? JSON.stringify({ document_path: document.path, code, detail }) : `${code}  ${document.path}  ${detail}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, uploadSome));
  } catch (error) {
    ended.abort();
    throw error;
  } finally {
    progress.end();
  }
  if (isJson) {
    const summary = { folder, supplier, total: documents.length, ...counts, hidden, codes: countsOf(codes) };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  } else {
    const words = `${number(counts.uploaded)} uploaded, ${number(counts.there)} there already, ${number(counts.failed)} failed`;
    process.stdout.write(`${counted(documents.length, 'document')}: ${words}\n`);
    if (hidden > 0) process.stdout.write(`Left out, because their names begin with a dot: ${number(hidden)}\n`);
    for (const [code, count] of Object.entries(countsOf(codes))) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
  }
  return counts.failed === 0 ? EXIT.allDone : EXIT.someFailed;
}

/** What of the supplier's documents lies where these go. */
async function existingOf(
  documents: readonly LocalDocument[],
  supplier: string,
  { client, signal }: Connection,
): Promise<ReadonlyMap<string, StoredDocument>> {
  const wanted = new Set(documents.map(({ path }) => path));
  const existing = new Map<string, StoredDocument>();
  try {
    for await (const document of client.listDocuments(supplier, { signal })) {
      if (wanted.has(document.document_path)) existing.set(document.document_path, document);
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) checkSupplier([UNKNOWN], supplier);
    throw error;
  }
  return existing;
}

const UNKNOWN: ErrorItem = { code: 'does_not_exist', attr: 'import_supplier', detail: '' };

/** What became of one document. Rejects where going on makes no sense. */
async function uploaded(
  document: LocalDocument,
  existing: StoredDocument | undefined,
  supplier: string,
  { client, signal }: Connection,
): Promise<Outcome> {
  if (document.size > MAX_DOCUMENT_BYTES)
    return { kind: 'failed', code: 'payload_too_large', detail: 'Larger than 100 MiB: split it, or make it smaller.' };
  if (existing && existing.size !== document.size) return CONFLICT;
  const digests = await digestsOf(document.file).catch((error: Error) => error);
  if (digests instanceof Error) return { kind: 'failed', code: 'unreadable', detail: digests.message };
  if (existing?.etag === digests.md5) return { kind: 'there' };
  // What was stored in several parts has another kind of etag: the service compares it.
  if (existing && /^[0-9a-f]{32}$/.test(existing.etag)) return CONFLICT;
  const broken = new AbortController();
  const bytes = bytesOf(document, (reason) => broken.abort(reason));
  const options = { type: mediaTypeOf(document.path), sha256: digests.sha256, signal: AbortSignal.any([signal, broken.signal]) };
  try {
    const { isNew } = await client.uploadDocument(supplier, document.path, bytes, options);
    return { kind: isNew ? 'uploaded' : 'there' };
  } catch (error) {
    if (broken.signal.aborted && !signal.aborted) return { kind: 'failed', code: 'unreadable', detail: String(broken.signal.reason) };
    if (!(error instanceof ApiError) || error.isAccessRefused || error.status === 429 || error.status >= 500) throw error;
    if (error.status === 404) checkSupplier([UNKNOWN], supplier);
    checkSupplier(error.errors, supplier);
    const [first] = error.errors;
    return { kind: 'failed', code: first?.code ?? error.code, detail: first?.detail ?? error.message };
  }
}
