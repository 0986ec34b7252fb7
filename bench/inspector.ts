/** V8's inspector, and what it says while something is done. */
import { readFileSync } from 'node:fs';

/** For the buffers of the sockets to fill up; then it is held. */
const SETTLED_MILLISECONDS = 1_000;
const HELD_MILLISECONDS = 2_000;

/** Bytes, as `Runtime.getHeapUsage` answers them; no other answer is read. */
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize: number;
  readonly backingStorageSize: number;
}

export class Inspector {
  readonly #socket: WebSocket;
  readonly #wake: () => Promise<unknown>;
  readonly #answers = new Map<number, { resolve(result: HeapUsage): void; reject(error: Error): void }>();

  private constructor(socket: WebSocket, wake: () => Promise<unknown>) {
    this.#socket = socket;
    this.#wake = wake;
  }

  /** `url` is that of wrangler's inspector; `wake` makes the isolate run something. */
  static async connect(url: string, wake: () => Promise<unknown>): Promise<Inspector> {
    // wrangler refuses an origin it does not know, and Node names none.
    const inspector = new Inspector(new WebSocket(url, { headers: { Origin: 'http://localhost' } }), wake);
    inspector.#socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(data);
      const answered = inspector.#answers.get(id);
      if (error) answered?.reject(new Error(error.message));
      else answered?.resolve(result);
      inspector.#answers.delete(id);
    });
    await new Promise((resolve, reject) => {
      inspector.#socket.addEventListener('open', resolve);
      inspector.#socket.addEventListener('error', () => reject(new Error('the inspector refuses')));
    });
    return inspector;
  }

  #calls = 0;
  #call(method: string): Promise<HeapUsage> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }

  /** Bytes of the heap, of what V8 holds for the runtime, and of buffers; what is no longer needed included. */
  async heap(): Promise<number> {
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await this.#call('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  }

  /** Bytes that are still needed. V8 collects in a task of its own, which workerd runs only when the isolate next has something to do. */
  async alive(): Promise<number> {
    for (let collection = 0; collection < 2; collection++) {
      let isCollected = false;
      const collecting = this.#call('HeapProfiler.collectGarbage').then(() => {
        isCollected = true;
      });
      while (!isCollected) await Promise.all([this.#wake(), Promise.race([collecting, pause(20)])]);
    }
    return this.heap();
  }
}

export interface Watch {
  sample(): Promise<void>;
  look(): Promise<void>;
  hold(): Promise<void>;
}

/** What went through, and when it began. */
export interface Passed {
  readonly bytes?: number;
  readonly firstByte?: number;
}

/** Bytes of the heap, and by how many the processes grew while nothing moved. */
export interface Watched extends Passed {
  readonly before: number;
  readonly alive: number;
  readonly highest: number;
  readonly after: number;
  readonly grown?: number;
}

/** Runs `work`, which says when to look at the isolate: often and cheaply by `sample`, at what is alive by `look`, and by `hold` while nothing moves. */
export async function watched(
  { inspector, pids }: { readonly inspector: Inspector; readonly pids: readonly number[] },
  work: (watch: Watch) => Promise<Passed>,
): Promise<Watched> {
  const measured: { before: number; alive: number; highest: number; grown?: number } = {
    before: await inspector.alive(),
    alive: 0,
    highest: 0,
  };
  const sample = async () => {
    measured.highest = Math.max(measured.highest, await inspector.heap());
  };
  const look = async () => {
    await sample();
    measured.alive = Math.max(measured.alive, await inspector.alive());
  };
  const hold = async () => {
    await pause(SETTLED_MILLISECONDS);
    const before = residentBytes(pids);
    await pause(HELD_MILLISECONDS);
    measured.grown = Math.max(0, residentBytes(pids) - before);
    await look();
  };
  const passed = await work({ sample, look, hold });
  return { ...measured, ...passed, after: await inspector.alive() };
}

/** Of the Worker, its database and what passes its answers on. */
const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]), 0);

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
