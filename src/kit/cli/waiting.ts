/**
 * What has been scheduled and not yet finished. Whoever is no longer in the list of pending imports has an account, so one list
 * answers for thousands. Only what stays there is asked for one by one, a few at a time.
 */
import { ApiError, type DataImportClient, type ErrorItem, type ImportProcess } from '../client';
import { errorsOf } from './errored';
import { counted } from './progress';

export type Ending =
  | { readonly kind: 'imported' }
  /** A later record of the file has the same number: its content took the place of this one's. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'dry_run_succeeded' }
  | { readonly kind: 'failed'; readonly errors: readonly ErrorItem[] };

const PAGE = 10_000;
/** Status reads in one look: few while they find nothing, more while they do. */
const FEW_READS = 20;
const MANY_READS = 640;
const AT_ONCE = 8;
/** After this many looks in which nothing ended, the list alone is taken to say nothing more. */
const STALLS = 2;

/** External account number -> what waits for it. */
type Numbers = Map<string, Waiter>;

interface Waiter {
  /** Records of the file. */
  readonly indexes: readonly number[];
  /** Unix milliseconds; undefined without a window. */
  readonly opensAt: number | undefined;
}

export class Waiting {
  readonly #open = new Map<string, Numbers>();
  readonly #client: DataImportClient;
  readonly #onEnd: (index: number, ending: Ending) => void;
  #stalls = 0;
  #reads = FEW_READS;

  constructor(client: DataImportClient, onEnd: (index: number, ending: Ending) => void) {
    this.#client = client;
    this.#onEnd = onEnd;
  }

  get size(): number {
    let size = 0;
    for (const numbers of this.#open.values()) size += numbers.size;
    return size;
  }

  add(supplier: string, externalAccountNumber: string, index: number, opensAt: number | undefined): void {
    const numbers: Numbers = this.#open.get(supplier) ?? new Map();
    this.#open.set(supplier, numbers);
    numbers.set(externalAccountNumber, { indexes: [...(numbers.get(externalAccountNumber)?.indexes ?? []), index], opensAt });
  }

  /** The accounts whose window is still to open, and when the first does (Unix milliseconds). */
  closedWindows(now: number): { readonly count: number; readonly first: number } {
    let [count, first] = [0, Number.POSITIVE_INFINITY];
    for (const numbers of this.#open.values()) {
      for (const { opensAt } of numbers.values()) {
        if (opensAt === undefined || opensAt <= now) continue;
        count++;
        first = Math.min(first, opensAt);
      }
    }
    return { count, first };
  }

  /** Finds out what has ended since the last look. Answers whether anything has. */
  async look(signal: AbortSignal): Promise<boolean> {
    const before = this.size;
    for (const [supplier, numbers] of this.#open) {
      if (numbers.size > 0) await this.#lookAt(supplier, numbers, signal);
    }
    return this.size < before;
  }

  async #lookAt(supplier: string, numbers: Numbers, signal: AbortSignal): Promise<void> {
    // What is scheduled while the list is on its way may be missing from it for that reason alone.
    const asked = new Set(numbers.keys());
    for await (const { external_account_number } of this.#client.listPendingImports(supplier, { pageSize: PAGE, signal }))
      asked.delete(external_account_number);
    for (const number of asked) this.#end(numbers, number, { kind: 'imported' });
    this.#stalls = asked.size > 0 ? 0 : this.#stalls + 1;
    // The list does not say who waits and who has failed: once it changes no more, some are asked.
    if (asked.size === 0 && (this.#stalls >= STALLS || numbers.size <= FEW_READS)) await this.#readSome(supplier, numbers, signal);
  }

  async #readSome(supplier: string, numbers: Numbers, signal: AbortSignal): Promise<void> {
    const before = numbers.size;
    const some = [...numbers.keys()].slice(0, this.#reads).values();
    const read = async () => {
      for (const number of some) {
        const ending = await this.#endingOf(supplier, number, signal);
        if (ending) this.#end(numbers, number, ending);
        else rotate(numbers, number);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, read));
    const found = before - numbers.size;
    this.#reads = found * 2 >= this.#reads ? Math.min(MANY_READS, this.#reads * 2) : FEW_READS;
  }

  async #endingOf(supplier: string, number: string, signal: AbortSignal): Promise<Ending | undefined> {
    try {
      return endingOf(await this.#client.getImportProcess(supplier, number, { signal }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      return { kind: 'failed', errors: [{ code: error.code, attr: '', detail: 'The import process does not exist any more.' }] };
    }
  }

  #end(numbers: Numbers, number: string, ending: Ending): void {
    const indexes = numbers.get(number)?.indexes ?? [];
    const isCreated = ending.kind === 'imported' || ending.kind === 'dry_run_succeeded';
    indexes.forEach((index, position) => {
      this.#onEnd(index, isCreated && position < indexes.length - 1 ? { kind: 'replaced' } : ending);
    });
    numbers.delete(number);
  }
}

/** To the end, so that the next look asks for others. */
function rotate(numbers: Numbers, number: string): void {
  const waiter = numbers.get(number);
  if (!waiter) return;
  numbers.delete(number);
  numbers.set(number, waiter);
}

/** How an import has ended; undefined while it has not. */
export function endingOf(process: ImportProcess): Ending | undefined {
  switch (process.status) {
    case 'PENDING':
    case 'IN_PROGRESS':
      return undefined;
    case 'PROCESSED':
      return { kind: 'imported' };
    case 'DRY_RUN_SUCCEEDED':
      return { kind: 'dry_run_succeeded' };
    case 'CANCELLED':
      return { kind: 'failed', errors: [{ code: 'cancelled', attr: '', detail: 'The import was cancelled.' }] };
    case 'ERRORED':
    case 'DRY_RUN_ERRORED':
      return { kind: 'failed', errors: errorsOf(process) };
  }
}

/** What is said of windows that are still to open. */
export function windowsOf({ count, first }: { readonly count: number; readonly first: number }): string {
  const when = new Date(first).toISOString().replace(/\.\d+Z$/, 'Z');
  return `Waiting for the window of ${counted(count, 'account')}; the next opens at ${when}. They are imported whether you wait or not.`;
}
