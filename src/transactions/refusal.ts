/**
 * What the first failing transaction of a request looks like in its refusal (§7.2). Pure.
 */

import { type FieldError, valueAt } from '../shared/errors';
import { amountProblem, formatMinorUnits, minorUnits } from '../shared/money';
import { DOCUMENTED } from './schema';

export interface FailedTransaction {
  readonly detail: string;
  /** The documented fields as sent, the amount with two decimals where it can be read. */
  readonly data: unknown;
}

/** The first failing transaction, by its place in the request; undefined if no error is about one. Errors in payload order. */
export function failedTransaction(raw: unknown, errors: readonly FieldError[]): FailedTransaction | undefined {
  const error = errors.find(({ path }) => path[0] === 'transactions' && typeof path[1] === 'number');
  if (!error) return undefined;
  return { detail: error.detail, data: asSent(valueAt(raw, error.path.slice(0, 2))) };
}

function asSent(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const sent = documented(item, DOCUMENTED.transaction);
  for (const list of ['line_items', 'tax_items'] as const) {
    const items = sent[list];
    if (Array.isArray(items)) sent[list] = items.map((each: unknown) => (isRecord(each) ? documented(each, DOCUMENTED[list]) : each));
  }
  const { amount } = sent;
  if ((typeof amount === 'number' || typeof amount === 'string') && !amountProblem(amount))
    sent['amount'] = formatMinorUnits(minorUnits(amount));
  return sent;
}

const documented = (item: Record<string, unknown>, fields: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([field]) => fields.has(field)));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
