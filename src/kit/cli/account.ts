/** What the command line itself reads of an account; everything else is the service's to read. */
import { objectOf } from './files/errors-beside';

export interface AccountRead {
  /** The account's fields, and `task_params` beside them, whichever form the body has. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly supplier: string | undefined;
  readonly number: string | undefined;
  /** Unix milliseconds of the start of its window, if it has one. */
  readonly opensAt: number | undefined;
}

/** Reads JSON text; undefined where it is no JSON object. */
export function accountOf(text: string): AccountRead | undefined {
  const body = objectOf(text);
  if (!body) return undefined;
  const fields = sideBySide(body);
  const [supplier, number] = [fields['import_supplier'], fields['external_account_number']];
  const opensAt = startOf(fields['task_params']);
  return {
    fields,
    supplier: typeof supplier === 'string' ? supplier : undefined,
    number: typeof number === 'string' ? number : undefined,
    opensAt: Number.isNaN(opensAt) ? undefined : opensAt,
  };
}

/** The body has the account's fields itself, or holds them as `payload`. */
function sideBySide(body: Record<string, unknown>): Record<string, unknown> {
  const { payload, ...beside } = body;
  if (Object.hasOwn(body, 'import_supplier') || Object.hasOwn(body, 'external_account_number')) return body;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return body;
  return { ...payload, ...(beside['task_params'] == null ? {} : { task_params: beside['task_params'] }) };
}

function startOf(taskParams: unknown): number {
  if (typeof taskParams !== 'object' || taskParams === null) return Number.NaN;
  const start: unknown = Reflect.get(taskParams, 'schedule_window_start');
  if (typeof start !== 'string') return Number.NaN;
  // Without an offset it is UTC (§2.1).
  return Date.parse(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(start) ? start : `${start}Z`);
}
