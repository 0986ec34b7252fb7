/**
 * What is wrong with a payload, as data (§2.9). Pure.
 */

import type { FieldCode } from './error-codes';
import { isBlank } from './unicode';

/** Keys and zero-based indexes from the root of the body to the offending input. */
export type Path = readonly (string | number)[];

/** One offending input: where, the stable machine-readable code, and words for a person. */
export interface FieldError {
  readonly path: Path;
  readonly code: FieldCode;
  readonly detail: string;
  /** Of {@link tooManyErrors} only: how many errors it is in place of. */
  readonly more?: number;
}

/** The most errors that are listed of one body (§8). A few bytes can hold an error that takes a hundred times as many to list. */
export const MAX_ERRORS = 1_000;

/** What is wrong with one value, before it is known where in the payload the value is. */
export interface Problem {
  readonly code: FieldCode;
  readonly detail: string;
}

export const fieldError = (path: Path, code: FieldCode, detail: string): FieldError => ({ path, code, detail });

/** In place of `more` errors beyond {@link MAX_ERRORS}: those found, and one for each part that nothing looked into any more. */
export const tooManyErrors = (more: number): FieldError => ({
  ...fieldError([], 'too_many_errors', `About ${more} more errors were found. Correct those listed here, then send the body again.`),
  more,
});

/** An error as it goes over the wire and as it is stored: `attr` is the dot-delimited path (§2.9), well-formed whatever was sent. */
export interface ErrorItem {
  readonly detail: string;
  readonly code: FieldCode;
  readonly attr: string;
}

export const errorItem = ({ path, code, detail }: FieldError): ErrorItem => ({ detail, code, attr: path.join('.').toWellFormed() });

/**
 * Sorts errors into the order of the payload they speak of: a key that is present comes where it was sent, an absent one
 * after its siblings, and errors of one input keep the order they came in. An input has one error per code. Where a rule found
 * a field missing, the error says what was sent there. Of more than {@link MAX_ERRORS} the first found are sorted;
 * {@link tooManyErrors} comes in place of the rest.
 */
export function inPayloadOrder(raw: unknown, found: readonly FieldError[]): FieldError[] {
  const { errors, more } = firstOf(raw, found);
  const sorted = errors.length < 2 ? errors : sortedBy(raw, errors);
  return more > 0 ? [...sorted, tooManyErrors(more)] : sorted;
}

/** The errors that are listed, in the order they were found, and how many there are beyond. */
function firstOf(raw: unknown, found: readonly FieldError[]): { errors: FieldError[]; more: number } {
  const errors: FieldError[] = [];
  const listed = new Set<string>();
  let more = 0;
  for (const one of found) {
    if (one.more !== undefined || errors.length >= MAX_ERRORS) {
      more += one.more ?? 1;
      continue;
    }
    const error = missingAsSent(raw, one);
    const before = listed.size;
    if (error && listed.add(JSON.stringify([error.path, error.code])).size > before) errors.push(error);
  }
  return { errors, more };
}

function sortedBy(raw: unknown, errors: readonly FieldError[]): FieldError[] {
  const keysOf = new Map<object, Map<string, number>>();
  const rankOf = (holder: unknown, step: string | number): number => {
    if (typeof step === 'number') return step;
    if (typeof holder !== 'object' || holder === null) return Number.MAX_SAFE_INTEGER;
    let ranks = keysOf.get(holder);
    if (!ranks) {
      ranks = new Map(Object.keys(holder).map((key, rank) => [key, rank]));
      keysOf.set(holder, ranks);
    }
    return ranks.get(step) ?? Number.MAX_SAFE_INTEGER;
  };
  const ranked = errors.map((error) => {
    let holder: unknown = raw;
    const ranks = error.path.map((step) => {
      const rank = rankOf(holder, step);
      holder = valueAt(holder, [step]);
      return rank;
    });
    return { error, ranks };
  });
  ranked.sort((a, b) => {
    for (let i = 0; i < Math.min(a.ranks.length, b.ranks.length); i++) {
      const difference = (a.ranks[i] ?? 0) - (b.ranks[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return a.ranks.length - b.ranks.length;
  });
  return ranked.map(({ error }) => error);
}

/** `required` for what is absent, `null`, `blank` and `empty` for what says nothing; undefined for what was refused already. */
function missingAsSent(raw: unknown, error: FieldError): FieldError | undefined {
  if (error.code !== 'required') return error;
  const sent = valueAt(raw, error.path);
  if (sent === undefined) return error;
  if (sent === null) return fieldError(error.path, 'null', 'This field may not be null.');
  if (typeof sent === 'string' && isBlank(sent)) return fieldError(error.path, 'blank', 'This field may not be blank.');
  if (Array.isArray(sent) && sent.length === 0) return fieldError(error.path, 'empty', 'This list may not be empty.');
  return undefined;
}

/** No more than `max` of what {@link inPayloadOrder} gave. */
export function firstErrors(errors: readonly FieldError[], max: number): FieldError[] {
  if (errors.length <= max) return [...errors];
  const rest = errors.slice(max);
  return [...errors.slice(0, max), tooManyErrors(rest.reduce((sum, { more = 1 }) => sum + more, 0))];
}

/** The value a path leads to, or undefined where it leads nowhere. Only own keys count. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
