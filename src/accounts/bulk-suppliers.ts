/**
 * The suppliers that the lines of one bulk request name, read in few trips.
 */
import { loadSuppliers } from '../account-facts';
import type { Deps } from '../deps';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';

export class BulkSuppliers {
  readonly #deps: Deps;
  readonly #caller: Caller;
  /** Undefined: there is none of this caller's. */
  readonly #byCode = new Map<string, Supplier | undefined>();

  constructor(deps: Deps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /** Forgets all. */
  clear(): void {
    this.#byCode.clear();
  }

  /** Forgets those that would refuse an account: a refusal needs the supplier as it is. */
  clearRefusing(): void {
    for (const [code, supplier] of this.#byCode) if (supplier?.status !== 'Ongoing') this.#byCode.delete(code);
  }

  /** The supplier with this code. Where it has to be read, those that the next lines seem to name are read along. Throws if the key was revoked. */
  async withCode(code: string | undefined, seemNamed: () => Iterable<string>): Promise<Supplier | undefined> {
    if (code === undefined) return undefined;
    if (!this.#byCode.has(code)) await this.#read([code, ...seemNamed()]);
    return this.#byCode.get(code);
  }

  async #read(codes: readonly string[]): Promise<void> {
    const unread = [...new Set(codes)].filter((code) => !this.#byCode.has(code));
    const found = await loadSuppliers(this.#deps, this.#caller, unread);
    if (!found) throw new Error('the key was revoked while its request was worked on');
    for (const [code, supplier] of found) this.#byCode.set(code, supplier);
  }
}
