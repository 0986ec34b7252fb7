/**
 * What of the audit trail is asked for.
 */

import type * as z from 'zod';
import { type FieldError, fieldError } from '../shared/errors';
import { endOf, startOf } from '../shared/periods';
import type { OperatorPage } from '../shared/query';
import type { auditQuery } from './schema';
import type { AuditFilter } from './store';

/** The query parameters that an entry is looked up by. */
type FilterName = Exclude<keyof z.output<typeof auditQuery>, keyof OperatorPage>;

/**
 * The filter of a query: `actor`, `action`, `supplier` as they are, `from` and `to` dates or moments, both ends included; `''` is not
 * given. Or what is wrong with it.
 */
export function readFilter(asked: (name: FilterName) => string | undefined): AuditFilter | readonly FieldError[] {
  const given = (name: FilterName): string | undefined => asked(name)?.trim() || undefined;
  const [from, to] = [given('from'), given('to')];
  const [start, end] = [from && startOf(from), to && endOf(to)];
  const errors = [
    ...(from !== undefined && start === undefined ? [wrong('from')] : []),
    ...(to !== undefined && end === undefined ? [wrong('to')] : []),
  ];
  if (errors.length > 0) return errors;
  return {
    actor: given('actor'),
    action: given('action'),
    supplier: given('supplier'),
    from: typeof start === 'number' ? start : undefined,
    until: typeof end === 'number' ? end + 1 : undefined,
  };
}

const wrong = (name: string): FieldError =>
  fieldError([name], 'invalid_datetime', 'Enter a date or a moment that exists, in ISO 8601, for example 2026-01-31.');
