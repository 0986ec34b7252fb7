/**
 * What the lines of one bulk request are checked by: the suppliers they name and the processes of their pairs, read in few trips.
 */
import type { RunToJoin } from '../../account-state';
import type { Deps } from '../../deps';
import type { KnownProcesses } from '../../import-processes';
import type { Supplier, UNREADABLE } from '../../suppliers';
import type { Caller } from '../../tokens';
import { type Named, readKnown, runKey } from '../schedule/known';

export class BulkKnown {
  readonly #deps: Deps;
  readonly #caller: Caller;
  readonly #withProcesses: boolean;
  /** Undefined: there is none of this caller's. */
  readonly #suppliers = new Map<string, Supplier | typeof UNREADABLE | undefined>();
  /** By {@link runKey}. Undefined: there is none of that name. */
  readonly #runs = new Map<string, RunToJoin | undefined>();
  readonly #pairs = new Set<string>();
  #processes: KnownProcesses | undefined;
  #isRepeat = false;

  /** Without processes for a request that stores nothing. */
  constructor(deps: Deps, caller: Caller, withProcesses: boolean) {
    this.#deps = deps;
    this.#caller = caller;
    this.#withProcesses = withProcesses;
  }

  /** As of one instant with the suppliers; undefined where those were read for an earlier slice. */
  get processes(): KnownProcesses | undefined {
    return this.#processes;
  }

  /** Forgets all. */
  clear(): void {
    this.#suppliers.clear();
    this.#runs.clear();
    this.#pairs.clear();
    this.#processes = undefined;
  }

  /** The accounts of a slice were sent before. Those of the next may have been, too: with their processes read first, no body goes to the database for nothing. */
  noteRepeat(): void {
    this.#isRepeat = true;
  }

  /**
   * Forgets what the next slice has to read anew. Creating repeats in SQL what it was checked by; but where nothing is asked there, and
   * where a supplier refuses, it needs the supplier as it is.
   */
  beginSlice(): void {
    if (!this.#withProcesses || this.#isRepeat) this.clear();
    this.#isRepeat = false;
    this.#pairs.clear();
    this.#processes = undefined;
    for (const [code, supplier] of this.#suppliers)
      if (typeof supplier === 'string' || supplier?.status !== 'Ongoing') this.#suppliers.delete(code);
    for (const [key, run] of this.#runs) if (!run) this.#runs.delete(key);
  }

  /** True if a line with these names can be checked. */
  has(named: Named): boolean {
    const { supplierCode, externalAccountNumber } = named;
    if (supplierCode === undefined) return true;
    const run = runKey(named);
    if (!this.#suppliers.has(supplierCode) || (run !== undefined && !this.#runs.has(run))) return false;
    return (
      this.#processes === undefined || externalAccountNumber === undefined || this.#pairs.has(pairOf(supplierCode, externalAccountNumber))
    );
  }

  supplierOf({ supplierCode }: Named): Supplier | typeof UNREADABLE | undefined {
    return supplierCode === undefined ? undefined : this.#suppliers.get(supplierCode);
  }

  runOf(named: Named): RunToJoin | undefined {
    return this.#runs.get(runKey(named) ?? '');
  }

  /** Reads what these lines name, all of it as of one instant, unless the key was revoked. One trip for each database. */
  async read(names: readonly Named[]): Promise<'read' | 'key_revoked'> {
    this.clear();
    const known = await readKnown(this.#deps, this.#caller, names, this.#withProcesses);
    if (!known) return 'key_revoked';
    for (const [code, supplier] of known.suppliers) this.#suppliers.set(code, supplier);
    for (const named of names) {
      const { supplierCode, externalAccountNumber } = named;
      const run = runKey(named);
      if (run !== undefined) this.#runs.set(run, known.runs.get(run));
      if (supplierCode !== undefined && externalAccountNumber !== undefined) this.#pairs.add(pairOf(supplierCode, externalAccountNumber));
    }
    if (this.#withProcesses) this.#processes = known.processes;
    return 'read';
  }
}

const pairOf = (supplierCode: string, externalAccountNumber: string): string => JSON.stringify([supplierCode, externalAccountNumber]);
