/**
 * Values that are kept as they are sent, whatever they hold: undocumented fields, `metadata[].value`. They hold what a JSON number
 * and well-formed Unicode can say; anything else would come back as something else (§2.1). Pure.
 */
import { type FieldError, fieldError, type Path } from './errors';
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

/** Errors of one body are told up to here: a body of numbers out of range would be told of in many times its size. */
const MAX_TOLD = 1_000;

/** Everything in a body that is kept as sent and cannot be. Codes: `max_digits`, `invalid`. */
export function unsayableErrors(shape: Shape, value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  look(shape, value, [], errors);
  return errors;
}

function look(shape: Shape, value: unknown, path: Path, errors: FieldError[]): void {
  if (errors.length >= MAX_TOLD) return;
  if (shape.kind === 'as_sent') lookAsSent(value, path, errors);
  else if (shape.kind === 'list' && Array.isArray(value)) {
    value.forEach((item: unknown, index) => look(shape.item, item, [...path, index], errors));
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const field = shape.fields.get(key);
      if (!field) lookAtKey(key, path, errors);
      // zod passes over this key where others have a type.
      look(field ?? (key === '__proto__' ? AS_SENT : (shape.others ?? AS_SENT)), child, [...path, key], errors);
    }
  }
}

const AS_SENT: Shape = { kind: 'as_sent' };

function lookAsSent(value: unknown, path: Path, errors: FieldError[]): void {
  if (errors.length >= MAX_TOLD) return;
  if (typeof value === 'number') {
    const problem = literalProblem(value);
    if (problem) errors.push(fieldError(path, problem.code, problem.detail));
  } else if (typeof value === 'string') {
    if (!isFreeText(value)) errors.push(fieldError(path, INVALID_TEXT.code, INVALID_TEXT.detail));
  } else if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => lookAsSent(item, [...path, index], errors));
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      lookAtKey(key, path, errors);
      lookAsSent(child, [...path, key], errors);
    }
  }
}

function lookAtKey(key: string, path: Path, errors: FieldError[]): void {
  if (!isFreeText(key))
    errors.push(fieldError([...path, key], INVALID_TEXT.code, 'Name the field without control characters and lone surrogates.'));
}
