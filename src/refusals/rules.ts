/**
 * Refused creates, counted by what was wrong and where (§10). Pure.
 */
import type { FieldError, Path } from '../shared/errors';

/** For so long what was refused is remembered by code and place: 30 days. */
export const RETENTION_MINUTES = 30 * 1_440;

/** One error of a refused account. */
interface Wrong {
  readonly code: string;
  /** Where, without the indexes of lists: `customers.*.email`. */
  readonly place: string;
  /** Where, with them. */
  readonly attr: string;
}

/** A create that was refused: it never became an import process. Nothing of what was sent is in it but its number and names of fields. */
export interface Refusal {
  readonly supplierCode: string;
  readonly supplierId: number;
  /** The run that it would have joined. */
  readonly runId: number | undefined;
  /** Null where it could not be read. */
  readonly externalAccountNumber: string | null;
  readonly wrong: readonly Wrong[];
}

/** External account number, `attr` with its indexes, Unix milliseconds. */
export type Example = readonly [externalAccountNumber: string | null, attr: string, refusedAt: number];

/** Accounts refused for one code at one place. */
export interface RefusalCount {
  readonly code: string;
  readonly attr: string;
  readonly accounts: number;
  /** The newest first. */
  readonly examples: readonly Example[];
}

export const MAX_EXAMPLES = 20;
/** Codes and places that are counted of one account, and of one write; what is beyond is counted as {@link OTHERS}. */
const MAX_OF_AN_ACCOUNT = 20;
const MAX_COUNTS = 100;
export const OTHERS = 'others';

/** A field as the documentation may name it. Other names are the importer's own, and may be personal data. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const OTHER_NAME = '*';
const MAX_STEPS = 8;

const textOf = (path: Path, index: (step: number) => string): string =>
  path
    .slice(0, MAX_STEPS)
    .map((step) => (typeof step === 'number' ? index(step) : NAME.test(step) ? step : OTHER_NAME))
    .join('.');

/** The refusal of an account under this supplier, and of this run, for these errors. */
export function refusalOf(
  supplier: { readonly id: number; readonly code: string },
  run: { readonly id: number } | undefined,
  externalAccountNumber: string | undefined,
  errors: readonly FieldError[],
): Refusal {
  const wrong = new Map<string, Wrong>();
  for (const { code, path } of errors) {
    if (wrong.size >= MAX_OF_AN_ACCOUNT) break;
    const one = { code, place: textOf(path, () => '*'), attr: textOf(path, String) };
    const key = `${code} ${one.place}`;
    if (!wrong.has(key)) wrong.set(key, one);
  }
  return {
    supplierCode: supplier.code,
    supplierId: supplier.id,
    runId: run?.id,
    externalAccountNumber: externalAccountNumber ?? null,
    wrong: [...wrong.values()],
  };
}

/** The refusals of one supplier by code and place, most first. An account counts once for each. `now` in Unix milliseconds. */
export function countRefusals(refusals: readonly Refusal[], now: number): RefusalCount[] {
  const counts = new Map<string, RefusalCount>();
  for (const { externalAccountNumber, wrong } of refusals) {
    for (const { code, place, attr } of wrong) {
      const before = counts.get(`${code} ${place}`);
      const example: Example = [externalAccountNumber, attr, now];
      counts.set(`${code} ${place}`, {
        code,
        attr: place,
        accounts: (before?.accounts ?? 0) + 1,
        examples: [example, ...(before?.examples ?? [])].slice(0, MAX_EXAMPLES),
      });
    }
  }
  const sorted = [...counts.values()].sort((a, b) => b.accounts - a.accounts);
  const rest = sorted.slice(MAX_COUNTS);
  const accounts = rest.reduce((sum, one) => sum + one.accounts, 0);
  return rest.length === 0 ? sorted : [...sorted.slice(0, MAX_COUNTS), { code: OTHERS, attr: '', accounts, examples: [] }];
}
