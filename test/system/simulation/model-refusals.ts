/**
 * What must be refused, from when on, and what the operator may do: a key that is revoked, a supplier that is not Ongoing, and each
 * deed of the operator once, with its entry in the audit trail.
 */
import { STATUS } from '../../../src/import-processes/machine';
import type { Stored } from './audit';
import type { Keyed, Operated } from './importer';
import type { Sent } from './record';

/** How a key or a supplier was while a request was under way. */
type Throughout = 'open' | 'closed' | 'changed';

/** Answers how it was from one moment to another, both of the world. */
export type StateOf = (kind: 'key' | 'supplier', name: string, from: number, to: number) => Throughout;

export function statesOf({ states }: Stored): StateOf {
  return (kind, name, from, to) => {
    const own = states.filter((state) => state.kind === kind && state.name === name);
    const before = own.findLast(({ moment }) => moment < from)?.is_open ?? 0;
    const during = own.filter(({ moment }) => moment >= from && moment <= to);
    if (during.some(({ is_open }) => is_open !== before)) return 'changed';
    return before === 1 ? 'open' : 'closed';
  };
}

/** A request that began after its key was revoked is refused, and none whose key was in force all the time: as a whole, or the lines that were left. */
export const checkKeys = (keyed: readonly Keyed[], stateOf: StateOf): string[] =>
  keyed.flatMap(({ label, apiKeyId, startedAt, endedAt, status, hasFailedLines }) => {
    const state = stateOf('key', apiKeyId, startedAt, endedAt);
    if (hasFailedLines && state !== 'changed') return [`${label} was answered FAILED for no reason`];
    if (state === 'closed' && status !== 401 && status < 500) return [`${label} was answered ${status} with a key that is revoked`];
    return state === 'open' && status === 401 ? [`${label} was answered 401 with a key in force`] : [];
  });

/** Nothing is taken for a supplier that was not Ongoing all the time. */
export const checkClosed = (sent: readonly Sent[], stateOf: StateOf): string[] =>
  sent.flatMap(({ asked, pair, status, startedAt, endedAt }) => {
    const isTaken = asked.kind !== 'status' && status === 201;
    return isTaken && stateOf('supplier', `${pair.supplierId}`, startedAt, endedAt) === 'closed'
      ? [`${asked.kind} ${pair.supplierCode}/${pair.number} of moment ${startedAt} was taken though its supplier is not Ongoing`]
      : [];
  });

/** Each retry and each re-driven letter is audited once, by whoever did it; and what was answered was done. */
export function checkOperator(operated: readonly Operated[], { transitions, deeds }: Stored): string[] {
  const retriedBy = (task: number): number =>
    transitions.filter(({ actor, role, was, became }) => {
      return actor === task && role === 'operator' && was === STATUS.ERRORED && became === STATUS.PENDING;
    }).length;
  const countOf = (task: number, what: string): number => deeds.filter((deed) => deed.actor === task && deed.what === what).length;
  const broken = [...new Set([...transitions.filter(({ role }) => role === 'operator'), ...deeds].map(({ actor }) => actor))].flatMap(
    (task) => {
      const [retried, single, letters] = [retriedBy(task), countOf(task, 'import_process.retried'), countOf(task, 're-driven')];
      const byCode = countOf(task, 'import_processes.retried');
      return [
        ...(letters === countOf(task, 'dead_letter.redriven')
          ? []
          : [`request ${task} re-drove ${letters} dead letters and audited otherwise`]),
        ...(letters > 0 || byCode > 0 || single === retried ? [] : [`request ${task} retried ${retried} and audited ${single}`]),
      ];
    },
  );
  for (const { name, task, status, body, hadFaults } of operated) {
    if (hadFaults) continue;
    const answered: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'retried') : undefined;
    const expected = name.startsWith('retry ') ? (status === 200 ? 1 : 0) : status === 200 ? answered : 0;
    const isRetry = /^(?:retry|redrive)/.test(name);
    if (isRetry && expected !== retriedBy(task))
      broken.push(`${name} was answered ${status}, ${String(answered)}, and retried ${retriedBy(task)}`);
    if (name.startsWith('redrive') && (status === 200) !== countOf(task, 're-driven') > 0) broken.push(`${name} was answered ${status}`);
  }
  return broken;
}
