/**
 * From a decoded JSON body to a draft and its errors. The draft is the input without what was not given and without the
 * values that are wrong, so that rules can still validate the rest: all errors at once (§4.5). Pure.
 */
import type * as z from 'zod';
import { unsayableErrors } from './as-sent';
import { type FieldError, MAX_ERRORS, type Path, type Problem } from './errors';
import { literalProblem } from './literals';
import { REFUSED, readerOf } from './reader';
import { givenPart, isObject, shapeOf } from './shape';
import { isBlank } from './unicode';
import { REQUIRED, wrongIn } from './wrong';

/** A value in which every field may be missing: what was not given (`null`, `''`, `[]`) or was wrong is left out. */
export type Draft<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? (Draft<Item> | undefined)[]
    : T extends object
      ? { [Key in keyof T]?: Draft<NonNullable<T[Key]>> | undefined }
      : T;

/** A value in which everything required is there and what was not given is absent. */
export type Given<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Given<Item>[]
    : T extends object
      ? { [Key in keyof T]: Given<Exclude<T[Key], null | ''>> }
      : T;

export interface Parsed<T> {
  readonly draft: Draft<T>;
  /** The whole value, where the schema found nothing wrong. */
  readonly value: Given<T> | undefined;
  readonly errors: FieldError[];
}

/** True if the field was given and its value refused: a check that needs it is left out. */
export const isRefused = (draft: object, field: string): boolean => Object.hasOwn(draft, field) && Reflect.get(draft, field) === undefined;

/** Validates `raw` by the schema. A body that is no object is one error at the root (`invalid`, empty path). */
export function parse<T extends z.ZodType>(schema: T, raw: unknown): Parsed<z.output<T>> {
  const read = readerOf(schema)(raw);
  if (read !== REFUSED) return { ...sound<z.output<T>>(read), errors: [] };
  const wrong = wrongIn(schema, raw, problemOf);
  const shape = shapeOf(schema);
  const unsayable = wrong.errors.length < MAX_ERRORS ? unsayableErrors(shape, raw) : [];
  const errors = [...wrong.errors, ...unsayable];
  const part = wrong.sound === REFUSED ? {} : givenPart(shape, wrong.sound);
  const { draft, value } = sound<z.output<T>>(unsayable.reduce((rest, { path }) => without(rest, path), part));
  return { draft, value: errors.length === 0 ? value : undefined, errors };
}

/** A copy in which the value that a path leads to is undefined. */
function without(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? without(item, rest) : item));
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, key === step ? without(child, rest) : child]));
}

/** The one boundary between what a reader let through and the types of its schema, which differ in what may be absent only. */
const sound = <T>(read: unknown) => ({ draft: read, value: read }) as { draft: Draft<T>; value: Given<T> };

function problemOf(issue: z.core.$ZodIssue, value: unknown, path: Path): Problem {
  switch (issue.code) {
    case 'custom':
      return issue.params?.['problem'] ?? { code: 'invalid', detail: issue.message };
    case 'invalid_type':
    case 'invalid_union':
    case 'invalid_value':
      return wrongType(issue, value, path);
    case 'too_big':
      return { code: 'max_length', detail: `Ensure this field has no more than ${issue.maximum} elements.` };
    case 'too_small':
      return { code: 'empty', detail: 'This list may not be empty.' };
    default:
      return { code: 'invalid', detail: 'Invalid value.' };
  }
}

function wrongType(
  issue: z.core.$ZodIssueInvalidType | z.core.$ZodIssueInvalidUnion | z.core.$ZodIssueInvalidValue,
  value: unknown,
  path: Path,
): Problem {
  if (path.length === 0) return { code: 'invalid', detail: 'Invalid data. Expected an object.' };
  if (value === undefined) return REQUIRED;
  if (value === null) return { code: 'null', detail: 'This field may not be null.' };
  if (issue.code === 'invalid_value') {
    const isRequired = !issue.values.includes('');
    if (isRequired && typeof value === 'string' && isBlank(value)) return { code: 'blank', detail: 'This field may not be blank.' };
    return { code: 'invalid_choice', detail: 'This is not a valid choice.' };
  }
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'array') return { code: 'not_a_list', detail: 'Expected a list of items.' };
    if (issue.expected === 'object' || issue.expected === 'record') return { code: 'invalid', detail: 'Invalid data. Expected an object.' };
    if (issue.expected === 'boolean') return { code: 'invalid', detail: 'Must be a valid boolean.' };
    if (issue.expected === 'string') return { code: 'invalid', detail: 'Not a valid string.' };
  }
  const isNumber = typeof value === 'number';
  return (isNumber ? literalProblem(value) : undefined) ?? { code: 'invalid', detail: 'A valid number is required.' };
}
