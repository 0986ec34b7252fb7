/**
 * Finds the fields of a value that its schema does not name. Where a schema takes fields of the sender's own (a loose object, a value
 * of any kind) there are none. Pure.
 */
import * as z from 'zod';
import { type FieldError, fieldError, type Path } from './errors';
import { isNotGiven, isObject } from './reader';

/** The most that are listed of one body. */
const MAX_WARNINGS = 100;

/** Adds the paths it finds in a value to `found`; `path` leads to the value. */
type Search = (value: unknown, path: (string | number)[], found: Path[]) => void;

const SEARCHES = new WeakMap<z.core.$ZodType, Search | 'nothing'>();

/** The paths of undocumented fields in payload order, at most one more than are listed. What was not given (`null`, `''`, `[]`) is left out. */
export function undocumentedPaths(schema: z.core.$ZodType, value: unknown): Path[] {
  const found: Path[] = [];
  searchOf(schema)?.(value, [], found);
  return found;
}

/** One warning for each path, as items of `warnings[]`. Codes: `undocumented_field`, and `too_many_warnings` at the end of a list that was cut. */
export function undocumentedWarnings(paths: readonly Path[]): FieldError[] {
  const warnings = paths
    .slice(0, MAX_WARNINGS)
    .map((path) =>
      fieldError(
        path,
        'undocumented_field',
        'Check the name: this field is not documented. It is stored as it was sent and has no effect.',
      ),
    );
  if (paths.length <= MAX_WARNINGS) return warnings;
  return [...warnings, fieldError([], 'too_many_warnings', 'There are more undocumented fields than are listed here.')];
}

/** Made when it is first asked for; undefined where no value of the schema could hold an undocumented field. */
function searchOf(schema: z.core.$ZodType): Search | undefined {
  let search = SEARCHES.get(schema);
  if (search === undefined) {
    search = searchFor(schema) ?? 'nothing';
    SEARCHES.set(schema, search);
  }
  return search === 'nothing' ? undefined : search;
}

function searchFor(schema: z.core.$ZodType): Search | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return searchOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return searchInList(schema);
  return schema instanceof z.ZodObject ? searchInObject(schema) : undefined;
}

/** A list that is longer than it may be is refused as a whole, and not looked into. */
function searchInList(schema: z.ZodArray): Search | undefined {
  const search = searchOf(schema.element);
  const longest = Math.min(
    ...(schema.def.checks ?? []).map(({ _zod }) => Number(Reflect.get(_zod.def, 'maximum') ?? Number.POSITIVE_INFINITY)),
  );
  return (
    search &&
    ((value, path, found) => {
      if (!Array.isArray(value) || value.length > longest) return;
      for (let i = 0; i < value.length && !isFull(found); i++) {
        path.push(i);
        search(value[i], path, found);
        path.pop();
      }
    })
  );
}

function searchInObject(schema: z.ZodObject): Search {
  const fields = new Map(Object.entries(schema.shape).map(([key, type]) => [key, searchOf(type)]));
  const takesAny = schema.def.catchall !== undefined;
  return (value, path, found) => {
    if (!isObject(value)) return;
    for (const key in value) {
      const search = fields.get(key);
      if (search) {
        path.push(key);
        search(value[key], path, found);
        path.pop();
      } else if (!takesAny && !fields.has(key) && !isNotGiven(value[key])) found.push([...path, key]);
      if (isFull(found)) return;
    }
  };
}

const isFull = (found: readonly Path[]): boolean => found.length > MAX_WARNINGS;
