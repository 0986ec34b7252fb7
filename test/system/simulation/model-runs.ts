/**
 * What must be true of runs: nothing of a held one starts, a canary lets as many out as it says, a run that stops by itself stops, what is
 * taken back is reported by its number, and totals are those of what was sent.
 */
import { STATUS } from '../../../src/import-processes/machine';
import type { Stored } from './audit';
import type { Transition } from './observer';
import { isFull, namesOf, type Payload } from './payload';
import type { RunDeed } from './runs';

type Run = Stored['runs'][number];
interface OfRun {
  readonly run: Run;
  readonly deeds: readonly RunDeed[];
  readonly transitions: readonly Transition[];
}

/** `rested`: what was stored when everything had come to rest but what is held. */
export const checkRuns = (deeds: readonly RunDeed[], rested: Stored): string[] =>
  rested.runs.flatMap((run) => {
    const own = deeds.filter((deed) => deed.supplierId === run.supplier_id && deed.run === run.name);
    const of: OfRun = { run, deeds: own, transitions: rested.transitions.filter(({ run_id }) => run_id === run.id) };
    return [...checkHeld(of), ...checkStopped(of), ...checkCanary(of, rested), ...checkUndone(of)].map(
      (line) => `run ${run.supplier_id}/${run.name}: ${line}`,
    );
  });

const endOf = ({ isUnderWay, endedAt }: RunDeed): number => (isUnderWay ? Number.POSITIVE_INFINITY : endedAt);
const mayOpen = ({ kind }: RunDeed): boolean => kind === 'release' || kind === 'canary' || kind === 'make';
const isTaken = ({ status }: RunDeed): boolean => status === 200 || status === 201;
const isClaim = ({ became }: Transition): boolean => became === STATUS.IN_PROGRESS;

/** Nothing is claimed once a hold was answered, until somebody asks for a release. */
function checkHeld({ deeds, transitions }: OfRun): string[] {
  const holds = deeds.filter(
    ({ kind, status, isHeld }) =>
      (status === 200 && (kind === 'hold' || kind === 'cancel' || kind === 'undo')) || (kind === 'make' && status === 201 && isHeld),
  );
  const opens = deeds.filter(mayOpen);
  return transitions.filter(isClaim).flatMap(({ process_id, moment }) => {
    const hold = holds.find(
      (one) => one.endedAt < moment && !opens.some((open) => open !== one && open.startedAt < moment && endOf(open) > one.startedAt),
    );
    return hold ? [`process ${process_id} was claimed at moment ${moment}, held since ${hold.startedAt}`] : [];
  });
}

/** Nothing is claimed once so many have ERRORED as the run stops after, until somebody asks for a release. What was claimed before ends. */
function checkStopped({ deeds, transitions }: OfRun): string[] {
  const limit = deeds.find(({ kind }) => kind === 'make')?.stopAfterErrors;
  if (limit === undefined) return [];
  const opens = deeds.filter(mayOpen);
  let errors = 0;
  let before = 0;
  return transitions.flatMap((one) => {
    if (opens.some((open) => open.startedAt <= one.moment && endOf(open) >= before)) errors = 0;
    before = one.moment;
    if (isClaim(one) && errors >= limit) return [`process ${one.process_id} was claimed after ${errors} errors`];
    if (one.became === STATUS.ERRORED && one.is_dry_run === 0) errors++;
    return [];
  });
}

const LEAVES: readonly number[] = [STATUS.CANCELLED, STATUS.DRY_RUN_SUCCEEDED, STATUS.DRY_RUN_ERRORED];

/** Of a held run that nothing joined or left by other ways, a canary of n starts n of its accounts: no more, and no fewer that wait. */
function checkCanary({ run, deeds, transitions }: OfRun, rested: Stored): string[] {
  const isMoved = rested.deeds.some(({ what, subject }) => what === 'moved' && subject.split(' ').includes(`${run.id}`));
  const isQuiet = !isMoved && !transitions.some(({ became }) => LEAVES.includes(became));
  const made = deeds.filter(({ kind }) => kind === 'make');
  const canaries = deeds.filter(({ kind }) => kind === 'canary');
  if (!isQuiet || !made.every(({ isHeld }) => isHeld) || deeds.some(({ kind }) => kind === 'release')) return [];
  const started = new Set(transitions.filter(isClaim).map(({ process_id }) => process_id)).size;
  const most = Math.max(0, ...canaries.map(({ accounts = 0 }) => accounts));
  const tooMany = started > most ? [`${started} accounts started, and ${most} were to`] : [];
  const last = deeds.at(-1);
  const isLast = last?.kind === 'canary' && isTaken(last) && deeds.every((deed) => deed === last || endOf(deed) < last.startedAt);
  if (!isLast) return tooMany;
  const members = transitions.filter(({ was, moment }) => was === null && moment < last.startedAt).length;
  const fewest = Math.min(last.accounts ?? 0, members);
  return started < fewest ? [...tooMany, `${started} accounts started, and ${fewest} were to`] : tooMany;
}

/** What was answered to be undone was. */
const checkUndone = ({ deeds, transitions }: OfRun): string[] =>
  deeds.flatMap(({ kind, status, body, task, hadFaults }) => {
    if (kind !== 'undo' || status !== 200 || hadFaults) return [];
    const undone = transitions.filter(({ was, actor }) => was === STATUS.PROCESSED && actor === task).length;
    const reported: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'undone') : undefined;
    return reported === undone ? [] : [`${String(reported)} were answered to be undone, and ${undone} were`];
  });

export interface RunTotals {
  readonly accounts: number;
  readonly customers: number;
  readonly notes: number;
  readonly transactions: number;
  readonly transactions_amount: string;
  readonly statements: number;
  readonly payment_instructions: number;
  readonly balance: string;
}

/** What payloads bring together. */
export function totalsOf(payloads: readonly Payload[]): RunTotals {
  const full = payloads.filter(isFull);
  const amount = (full.reduce((sum, { version }) => sum + version, 0) / 100).toFixed(2);
  return {
    accounts: payloads.length,
    customers: payloads.reduce((sum, payload) => sum + namesOf(payload).length, 0),
    notes: 2 * full.length,
    transactions: full.length,
    transactions_amount: amount,
    statements: full.length,
    payment_instructions: full.length,
    balance: amount,
  };
}
