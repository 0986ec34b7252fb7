/** The one validation on an account as tests ask for it: `attr code`, in payload order. */
import { allErrors, checkAccount } from '../../src/accounts';
import type { Supplier } from '../../src/suppliers';
import { aSupplierWith } from './suppliers';
import { worded } from './worded';

/** Friday, 20 November 2026, noon UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);

export function errorsIn(body: unknown, options: { supplier?: Supplier | undefined; now?: number } = {}): string[] {
  const supplier = 'supplier' in options ? options.supplier : aSupplierWith();
  return worded(allErrors(checkAccount(body, supplier, options.now ?? NOON))).map(({ path, code }) => `${path.join('.')} ${code}`);
}

/** A copy of the payload with another value at the dotted path; `undefined` takes the field out. */
export function withValue<T extends object>(payload: T, attr: string, value: unknown): T {
  const copy = structuredClone(payload);
  const steps = attr.split('.');
  let holder: object = copy;
  for (const step of steps.slice(0, -1)) {
    if (!Object.hasOwn(holder, step)) Reflect.set(holder, step, {});
    holder = Reflect.get(holder, step);
  }
  const last = steps.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return copy;
}
