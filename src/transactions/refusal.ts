/**
 * What the first failing transaction of a request looks like in its refusal (§7.2). Pure.
 */

import { type FieldError, valueAt } from '../shared/errors';
import { amountProblem, formatMinorUnits, minorUnits } from '../shared/money';
import { documentedOf, isObject } from '../shared/shape';
import { transactionItem } from './schema';

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
  const sent = documentedOf(transactionItem, item);
  if (!isObject(sent)) return sent;
  const { amount } = sent;
  const isAmount = (typeof amount === 'number' || typeof amount === 'string') && !amountProblem(amount);
  return isAmount ? { ...sent, amount: formatMinorUnits(minorUnits(amount)) } : sent;
}
