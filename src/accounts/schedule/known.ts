/**
 * What creates are validated and decided by: the suppliers they name, and the processes their pairs have, as of one instant.
 */
import { supplierFacts } from '../../account-facts';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { type KnownProcesses, knownProcesses, processesOfCaller } from '../../import-processes';
import { type Supplier, supplierIn, type UNREADABLE } from '../../suppliers';
import type { Caller } from '../../tokens';
import type { ReadAccount } from '../validation/judge';

/** What an account says whose it is, as far as it could be read. */
export type Named = Pick<ReadAccount, 'supplierCode' | 'externalAccountNumber'>;

export interface Known {
  /** By code. Undefined: there is none of this caller's. `unreadable`: what is stored of it cannot be read, which concerns no other. */
  readonly suppliers: ReadonlyMap<string, Supplier | typeof UNREADABLE | undefined>;
  readonly processes: KnownProcesses;
}

/**
 * Reads the suppliers of these accounts, and `withProcesses` the processes of their pairs, in one trip for each database. Undefined:
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
  for (const [db, members] of Map.groupBy(accounts, (account) => deps.databaseOf(codeOf(account)))) {
    const codes = [...new Set(members.map(codeOf))];
    const [found, existing = []] = await commit(db, [
      supplierFacts(caller, codes),
      ...(withProcesses ? [processesOfCaller(caller, members.flatMap(pairOf))] : []),
    ] as const);
    if (found.length === 0) return undefined;
    for (const row of found) suppliers.set(row.code, supplierIn(row.supplier));
    for (const [pair, process] of knownProcesses(existing)) processes.set(pair, process);
  }
  return { suppliers, processes };
}

/** No supplier has the code of an account that names none. */
const codeOf = ({ supplierCode }: Named): string => supplierCode ?? '';

const pairOf = ({ supplierCode, externalAccountNumber }: Named) =>
  supplierCode === undefined || externalAccountNumber === undefined ? [] : [{ supplierCode, externalAccountNumber }];
