/**
 * Periods of two fields, both ends included (§2.3 to §2.5, §4.5). A date is the whole UTC day. Pure.
 */
import { DAY_MILLISECONDS, instantOf, isDate } from './dates';
import { type FieldError, fieldError, NO_ERRORS, type Path } from './errors';

/** The first millisecond of a date or a datetime; undefined if it is none. */
export const startOf = (text: string): number | undefined => (isDate(text) ? Date.parse(text) : instantOf(text));
/** The last one. */
export const endOf = (text: string): number | undefined => (isDate(text) ? Date.parse(text) + DAY_MILLISECONDS - 1 : instantOf(text));

/** Two dates, as most are, compare as text. */
const isInOrder = (from: string, to: string): boolean => from.length === 10 && to.length === 10 && from <= to;

/** Checks a period as far as both its ends, dates or datetimes, are given; `pathOf` leads to the second. Code: `period_ends_before_it_starts`. */
export function periodErrors(pathOf: () => Path, from: string | undefined, to: string | undefined): readonly FieldError[] {
  if (from === undefined || to === undefined || isInOrder(from, to)) return NO_ERRORS;
  const [start, end] = [startOf(from), endOf(to)];
  if (start === undefined || end === undefined || end >= start) return NO_ERRORS;
  return [fieldError(pathOf(), 'period_ends_before_it_starts', 'The period must not end before it starts.')];
}
