/**
 * Reads what a schema accepts, in one walk, and copies only where something has to be left out. Every valid body is read this way. A
 * body that it refuses is parsed again by zod, which reports the errors (`parse.ts`). A kind of schema it does not know is left to zod. Pure.
 *
 * zod alone takes several times as long for the same answer, and compiling its schemas most of the time a Worker has to start.
 */
import * as z from 'zod';
import { isSayable } from './as-sent';
import type { Problem } from './errors';
import { isNotGiven, isObject, othersOf } from './shape';
import { isFreeText } from './unicode';

/** In place of a value that the schema refuses. */
export const REFUSED: unique symbol = Symbol('refused');

/** The value without what its optional fields do not say (`null`, `''`, `[]`), or {@link REFUSED}. Never changes its input. */
export type Reader = (value: unknown) => unknown;

/** Truthy where something is wrong with a value that its type accepted. */
type Rule = (value: unknown) => unknown;

interface Field {
  readonly read: Reader;
  readonly isRequired: boolean;
  /** Whatever was sent is the value, be it nothing. */
  readonly isVerbatim: boolean;
}

/** Rules by the check in which zod runs them. */
const RULES = new WeakMap<object, (value: never) => unknown>();
const READERS = new WeakMap<object, Reader>();

/** Adds one rule to a type. Its problem travels in the issue's `params`; `shown` is what the OpenAPI document says of it. */
export function checked<T extends z.ZodType>(type: T, rule: (value: z.output<T>) => Problem | undefined, shown?: z.GlobalMeta): T {
  const check: z.core.CheckFn<z.output<T>> = ({ value, issues }) => {
    const problem = rule(value);
    if (problem) issues.push({ code: 'custom', input: value, message: problem.detail, params: { problem } });
  };
  RULES.set(check, rule);
  const made = type.check(check);
  if (shown) z.globalRegistry.add(made, shown);
  return made;
}

/** The reader of a schema, made when it is first asked for. */
export function readerOf(schema: z.core.$ZodType): Reader {
  let reader = READERS.get(schema);
  if (!reader) {
    reader = readerOfType(schema, ruleOf(schema));
    READERS.set(schema, reader);
  }
  return reader;
}

function ruleOf(schema: z.core.$ZodType): Rule {
  const checks = schema._zod.def.checks ?? [];
  // Each is only asked about what its type accepted.
  const rules = checks.map(({ _zod }) => RULES.get(_zod.check) ?? issuesOf(_zod)) as Rule[];
  const [only = () => undefined] = rules;
  return rules.length > 1 ? (value) => rules.some((rule) => rule(value)) : only;
}

/** What a check of zod's own finds. */
const issuesOf =
  (internals: z.core.$ZodCheckInternals<never>) =>
  (value: never): boolean => {
    const issues: z.core.$ZodRawIssue[] = [];
    void internals.check({ value, issues });
    return issues.length > 0;
  };

function readerOfType(schema: z.core.$ZodType, isWrong: Rule): Reader {
  if (schema instanceof z.ZodObject) return objectReader(schema, isWrong);
  if (schema instanceof z.ZodArray) return listReader(readerOf(schema.element), isWrong);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return optionalReader(readerOf(schema.unwrap()));
  if (isPlainPipe(schema)) return pipeReader(readerOf(schema.in), readerOf(schema.out));
  if (schema instanceof z.ZodUnion) return unionReader(schema.options.map(readerOf), isWrong);
  if (schema instanceof z.ZodString && !schema.format) return (value) => (typeof value === 'string' && !isWrong(value) ? value : REFUSED);
  if (schema instanceof z.ZodNumber && !schema.format) return (value) => (Number.isFinite(value) && !isWrong(value) ? value : REFUSED);
  if (schema instanceof z.ZodEnum) return enumReader(new Set(schema.options));
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : REFUSED);
  if (schema instanceof z.ZodUnknown) return (value) => (isSayable(value) ? value : REFUSED);
  return (value) => {
    const result = z.safeParse(schema, value);
    return result.success ? result.data : REFUSED;
  };
}

const optionalReader =
  (read: Reader): Reader =>
  (value) =>
    value === null || value === undefined ? value : read(value);

/** True for two schemas that a value has to fit one after the other. */
export const isPlainPipe = (schema: z.core.$ZodType): schema is z.ZodPipe => schema instanceof z.ZodPipe && !(schema instanceof z.ZodCodec);

const pipeReader =
  (first: Reader, second: Reader): Reader =>
  (value) => {
    const read = first(value);
    return read === REFUSED ? REFUSED : second(read);
  };

const enumReader =
  (values: ReadonlySet<unknown>): Reader =>
  (value) =>
    values.has(value) ? value : REFUSED;

const unionReader =
  (readers: readonly Reader[], isWrong: Rule): Reader =>
  (value) => {
    for (const read of readers) {
      const result = read(value);
      if (result !== REFUSED) return isWrong(value) ? REFUSED : result;
    }
    return REFUSED;
  };

function listReader(read: Reader, isWrong: Rule): Reader {
  return (value) => {
    if (!Array.isArray(value) || isWrong(value)) return REFUSED;
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const result = read(value[i]);
      if (result === value[i]) continue;
      if (result === REFUSED) return REFUSED;
      copy ??= [...value];
      copy[i] = result;
    }
    return copy ?? value;
  };
}

function objectReader(schema: z.ZodObject, isWrong: Rule): Reader {
  const fields = new Map(Object.entries(schema.shape).map(([key, type]) => [key, fieldOf(type)]));
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  const type = othersOf(schema);
  const others = type && { ...fieldOf(type), isRequired: false };
  return (value) => {
    if (!isObject(value) || isWrong(value)) return REFUSED;
    let copy: Record<string, unknown> | undefined;
    let found = 0;
    for (const key in value) {
      const child = value[key];
      let field = fields.get(key);
      let result = child;
      if (!field) {
        if (!isFreeText(key)) return REFUSED;
        // zod passes over this name where the others have a type: its value stays as sent.
        if (key !== PROTOTYPE) field = others;
      }
      if (field) {
        result = field.read(child);
        if (result === REFUSED) return REFUSED;
        if (field.isRequired) found += 1;
        if (isNotGiven(result) && !field.isVerbatim) result = undefined;
      } else if (!isSayable(child)) return REFUSED;
      if (result === child && copy === undefined) continue;
      copy ??= fieldsBefore(value, key);
      if (result !== undefined) put(copy, key, result);
    }
    return found === required ? (copy ?? value) : REFUSED;
  };
}

const fieldOf = (type: z.core.$ZodType): Field => ({
  read: readerOf(type),
  isRequired: type._zod.optin === undefined,
  isVerbatim: type instanceof z.ZodUnknown,
});

/** The fields before the first that has to be changed, as they are. */
function fieldsBefore(value: Readonly<Record<string, unknown>>, end: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    if (key === end) break;
    put(copy, key, value[key]);
  }
  return copy;
}

const PROTOTYPE = '__proto__';

function put(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === PROTOTYPE) Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  else copy[key] = value;
}
