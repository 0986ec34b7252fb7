/**
 * Values that are stored as they are sent, whatever they are: undocumented fields, `metadata[].value`. They hold what a JSON number
 * and well-formed Unicode can say; anything else would come back as something else (§2.1). Pure.
 */
import { type FieldError, fieldError, MAX_ERRORS, type Path, type Problem } from './errors';
import { literalProblem } from './literals';
import { isObject, type Shape } from './shape';
import { INVALID_TEXT, isFreeText } from './unicode';

/** True if the value comes back as it was sent. */
export function isSayable(value: unknown): boolean {
  if (typeof value === 'string') return isFreeText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isSayable);
  if (!isObject(value)) return true;
  for (const key in value) if (!isFreeText(key) || !isSayable(value[key])) return false;
  return true;
}

/** Everything in a body that should be stored as sent and cannot be; a list that is longer than it may be is not looked into. Codes: `max_digits`, `invalid`. */
export function unsayableErrors(shape: Shape, value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  look(shape, value, [], errors);
  return errors;
}

function look(shape: Shape, value: unknown, path: Path, errors: FieldError[]): void {
  if (shape.kind === 'leaf' || errors.length >= MAX_ERRORS) return;
  if (Array.isArray(value)) {
    if (shape.kind === 'list' && value.length > shape.longest) return;
    const item = shape.kind === 'list' ? shape.item : shape.kind === 'as_sent' ? AS_SENT : LEAF;
    for (const [index, child] of value.entries()) look(item, child, [...path, index], errors);
  } else if (isObject(value)) {
    if (shape.kind === 'list') return;
    for (const [key, child] of Object.entries(value)) {
      const at = [...path, key];
      const field = shape.kind === 'object' ? shape.fields.get(key) : undefined;
      if (!field && !isFreeText(key)) report(INVALID_NAME, at, errors);
      look(field ?? othersOf(shape, key), child, at, errors);
    }
  } else if (shape.kind === 'as_sent') report(problemOf(value), path, errors);
}

const AS_SENT: Shape = { kind: 'as_sent' };
const LEAF: Shape = { kind: 'leaf' };
const INVALID_NAME: Problem = { code: 'invalid', detail: 'Name the field without control characters and lone surrogates.' };

/** zod passes over `__proto__` where the other fields have a type. */
const othersOf = (shape: Shape, key: string): Shape =>
  (shape.kind === 'object' && key !== '__proto__' ? shape.others : undefined) ?? AS_SENT;

function problemOf(value: unknown): Problem | undefined {
  if (typeof value === 'number') return literalProblem(value);
  return typeof value === 'string' && !isFreeText(value) ? INVALID_TEXT : undefined;
}

function report(problem: Problem | undefined, path: Path, errors: FieldError[]): void {
  if (problem) errors.push(fieldError(path, problem.code, problem.detail));
}
