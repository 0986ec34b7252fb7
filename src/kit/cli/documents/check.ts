/** `documents check FILE`: looks up every document that a file names, before anything of it is sent. */
import { ApiError, type DataImportClient, type DocumentsChecked } from '../../client';
import type { Connection } from '../access';
import { accountOf } from '../account';
import { EXIT, type ExitCode } from '../exit';
import { countRecords, type Source } from '../files/source';
import { number, Progress } from '../progress';
import { checkSupplier } from '../sending';
import { documentsNamedBy } from './named';

export interface CheckOptions {
  readonly source: Source;
  readonly connection: Connection;
  readonly isJson: boolean;
}

/** Where a path is named first. */
interface Mention {
  readonly line: number;
  readonly account: string | undefined;
}

/** What one request asks about: paths of one supplier, each once. */
type Batch = Map<string, Mention>;

const MAX_PATHS = 10_000;
/** Keeps a request well within the MiB it may have, whatever its characters take as bytes. */
const MAX_CHARACTERS = 160_000;

export async function checkDocuments({ source, connection, isJson }: CheckOptions): Promise<ExitCode> {
  const { client, signal, outage } = connection;
  await client.checkAccess({ signal });
  const total = await countRecords(source);
  const counts = { found: 0, missing: 0, invalid: 0 };
  let read = 0;
  const progress = new Progress(() => ({ finished: read, total, failed: counts.missing + counts.invalid, notice: outage.notice }), isJson);
  const look = async (supplier: string, batch: Batch) => {
    const { found, missing, invalid } = await lookedUp(client, supplier, [...batch.keys()], signal);
    counts.found += found;
    for (const [status, paths] of Object.entries({ missing, invalid })) {
      for (const path of paths) progress.print(lineOf(status, supplier, path, batch.get(path), source.unit, isJson));
    }
    counts.missing += missing.length;
    counts.invalid += invalid.length;
  };
  const batches = new Batches(look);
  let withoutSupplier = 0;
  try {
    for await (const { text, line } of source.records()) {
      signal.throwIfAborted();
      const account = accountOf(text);
      const paths = account ? documentsNamedBy(account) : [];
      if (paths.length > 0 && account?.supplier === undefined) withoutSupplier++;
      else for (const path of paths) await batches.add(account?.supplier ?? '', path, { line, account: account?.number });
      read++;
    }
    await batches.end();
  } finally {
    progress.end();
  }
  const documents = counts.found + counts.missing + counts.invalid;
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ file: source.name, total, documents, ...counts, without_supplier: withoutSupplier })}\n`);
  } else {
    const words = `${number(counts.found)} found, ${number(counts.missing)} missing, ${number(counts.invalid)} that no document can have`;
    process.stdout.write(`${number(total)} records name ${number(documents)} documents: ${words}\n`);
    if (withoutSupplier > 0)
      process.stdout.write(`Not looked up, because they name no import_supplier: ${number(withoutSupplier)} records\n`);
  }
  return counts.missing + counts.invalid + withoutSupplier === 0 ? EXIT.allDone : EXIT.someFailed;
}

/** Collects paths until they fill a request. A path that comes again within it is asked about once. */
class Batches {
  readonly #look: (supplier: string, batch: Batch) => Promise<void>;
  readonly #open = new Map<string, { readonly paths: Batch; characters: number }>();

  constructor(look: (supplier: string, batch: Batch) => Promise<void>) {
    this.#look = look;
  }

  async add(supplier: string, path: string, mention: Mention): Promise<void> {
    const batch = this.#open.get(supplier) ?? { paths: new Map<string, Mention>(), characters: 0 };
    if (batch.paths.has(path)) return;
    if (batch.paths.size >= MAX_PATHS || batch.characters + path.length > MAX_CHARACTERS) {
      await this.#look(supplier, batch.paths);
      batch.paths.clear();
      batch.characters = 0;
    }
    batch.paths.set(path, mention);
    batch.characters += path.length + 4;
    this.#open.set(supplier, batch);
  }

  async end(): Promise<void> {
    for (const [supplier, { paths }] of this.#open) if (paths.size > 0) await this.#look(supplier, paths);
  }
}

/** Asks again in halves where the documents lie too far apart for one request. */
async function lookedUp(
  client: DataImportClient,
  supplier: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<DocumentsChecked> {
  try {
    return await client.checkDocuments({ import_supplier: supplier, document_paths: [...paths] }, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) checkSupplier([{ code: 'does_not_exist', attr: 'import_supplier', detail: '' }], supplier);
    checkSupplier(error.errors, supplier);
    const isTooMany = error.errors.some(({ code, attr }) => code === 'max_length' && attr === 'document_paths');
    if (!isTooMany || paths.length < 2) throw error;
    const middle = Math.ceil(paths.length / 2);
    const first = await lookedUp(client, supplier, paths.slice(0, middle), signal);
    const second = await lookedUp(client, supplier, paths.slice(middle), signal);
    return {
      found: first.found + second.found,
      missing: [...first.missing, ...second.missing],
      invalid: [...first.invalid, ...second.invalid],
    };
  }
}

function lineOf(status: string, supplier: string, path: string, mention: Mention | undefined, unit: string, isJson: boolean): string {
  const { line, account } = mention ?? {};
  if (isJson) return JSON.stringify({ status, import_supplier: supplier, document_path: path, line, external_account_number: account });
  return `${status.padEnd(8)} ${path}  (${unit} ${line}${account === undefined ? '' : `, ${account}`})`;
}
