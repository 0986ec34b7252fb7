/** The CPU that servers have used. Time on the clock would measure the neighbours as well. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1_000_000;
const TICK_MILLISECONDS = 10;

/** What {@link cpuOf} looks at. */
interface Processes {
  readonly pids: readonly number[];
}

/** Milliseconds of CPU that each process of the server has used so far, with those of its own that have ended. */
export const cpuOf = ({ pids }: Processes): Map<number, number> =>
  new Map(pids.flatMap((pid) => (existsSync(`/proc/${pid}`) ? [[pid, millisecondsOf(pid)]] : [])));

/** CPU milliseconds since `before`, of all processes of the server together. */
export const cpuSince = (server: Processes, before: ReadonlyMap<number, number>): number =>
  [...cpuOf(server)].reduce((sum, [pid, now]) => sum + now - (before.get(pid) ?? 0), 0);

function millisecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [own = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_MILLISECONDS);
  // Exact where the kernel keeps it, of the threads that live; what counts in ticks is right to ten milliseconds.
  const exact = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + nanosecondsOf(pid, thread), 0) / NANOSECONDS;
  return ofEnded + systemOfEnded + (Math.abs(exact - own - system) <= 5 * TICK_MILLISECONDS ? exact : own + system);
}

function nanosecondsOf(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** Every workerd below this process. */
export const workerds = (): number[] => processesBelow(process.pid, 'workerd');

/** The processes that a process started, and those that they did; of that name, where one is given. */
export function processesBelow(pid: number, called?: string): number[] {
  const parents = new Map<number, number>();
  const names = new Map<number, string | undefined>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [head = '', tail = ''] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ');
      names.set(Number(entry), head.split('(')[1]);
      parents.set(Number(entry), Number(tail.split(' ')[1]));
    } catch {
      // It ended while it was looked at.
    }
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && (parents.get(one) === pid || (one > 1 && isBelow(parents.get(one))));
  return [...names].filter(([one, name]) => (called === undefined || name === called) && isBelow(one)).map(([one]) => one);
}
