/**
 * What creates are validated and decided by: the suppliers they name, and the processes their pairs have, as of one instant.
 */
import { type RunToJoin, runsToJoin, runToJoinOf, supplierState } from '../../account-state';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { type KnownProcesses, knownProcesses, processesOfCaller } from '../../import-processes';
import { type Supplier, supplierIn, type UNREADABLE } from '../../suppliers';
import type { Caller } from '../../tokens';
import type { ReadAccount } from '../validation/check';

/** What an account says whose it is, as far as it could be read. */
export type Named = Pick<ReadAccount, 'supplierCode' | 'externalAccountNumber' | 'runName'>;

export interface Known {
  /** By code. Undefined: there is none of this caller's. `unreadable`: what is stored of it cannot be read, which concerns no other. */
  readonly suppliers: ReadonlyMap<string, Supplier | typeof UNREADABLE | undefined>;
  readonly processes: KnownProcesses;
  /** By {@link runKey}. A run that does not exist has no entry. */
  readonly runs: ReadonlyMap<string, RunToJoin>;
}

/** What a run is known by; undefined for an account that names none. */
export const runKey = ({ supplierCode, runName }: Omit<Named, 'externalAccountNumber'>): string | undefined =>
  supplierCode === undefined || runName === undefined ? undefined : JSON.stringify([supplierCode, runName]);

/**
 * Reads the suppliers and runs of these accounts, and `withProcesses` the processes of their pairs, in one trip for each database. Undefined:
 * the caller's key is not in force.
 */
export async function readKnown(
  deps: Deps,
  caller: Caller,
  accounts: readonly Named[],
  withProcesses: boolean,
): Promise<Known | undefined> {
  const suppliers = new Map<string, Supplier | typeof UNREADABLE | undefined>();
  const processes = new Map<string, NonNullable<ReturnType<KnownProcesses['get']>>>();
  const runs = new Map<string, RunToJoin>();
  for (const [db, members] of Map.groupBy(accounts, (account) => deps.databaseOf(codeOf(account)))) {
    const codes = [...new Set(members.map(codeOf))];
    const queries = [supplierState(caller, codes), ...(withProcesses ? [processesOfCaller(caller, members.flatMap(pairOf))] : [])] as const;
    // Most accounts name no run: nothing is asked of them then.
    const named = new Map(members.flatMap(runOf));
    const [runsFound, found, existing = []] =
      named.size > 0
        ? await commit(db, [runsToJoin(caller, [...named.values()]), ...queries])
        : ([[], ...(await commit(db, queries))] as const);
    if (found.length === 0) return undefined;
    for (const row of found) suppliers.set(row.code, supplierIn(row.supplier));
    for (const [pair, process] of knownProcesses(existing)) processes.set(pair, process);
    for (const run of runsFound) runs.set(runKey({ supplierCode: run.code, runName: run.name }) ?? '', runToJoinOf(run));
  }
  return { suppliers, processes, runs };
}

/** No supplier has the code of an account that names none. */
const codeOf = ({ supplierCode }: Named): string => supplierCode ?? '';

const runOf = (account: Named): [string, { readonly code: string; readonly name: string }][] => {
  const [key, { supplierCode: code, runName: name }] = [runKey(account), account];
  return key === undefined || code === undefined || name === undefined ? [] : [[key, { code, name }]];
};

const pairOf = ({ supplierCode, externalAccountNumber }: Named) =>
  supplierCode === undefined || externalAccountNumber === undefined ? [] : [{ supplierCode, externalAccountNumber }];
