/**
 * Finds the fields of a value that its schema does not name. Where a schema takes fields of the sender's own (a loose object, a value
 * of any kind) there are none. Pure.
 */
import type * as z from 'zod';
import { type FieldError, fieldError, type Path } from './errors';
import { isNotGiven, isObject, type Shape, shapeOf } from './shape';

/** The most that are listed of one body. */
const MAX_WARNINGS = 100;

/** The paths of undocumented fields in payload order, at most one more than are listed. What was not given (`null`, `''`, `[]`) is left out. */
export function undocumentedPaths(schema: z.core.$ZodType, value: unknown): Path[] {
  const found: Path[] = [];
  search(shapeOf(schema), value, [], found);
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

/** Adds the paths it finds in a value to `found`; `path` leads to the value. A list that is longer than it may be is refused as a whole, and not looked into. */
function search(shape: Shape, value: unknown, path: (string | number)[], found: Path[]): void {
  if (shape.kind === 'list') {
    if (shape.item.kind === 'leaf' || !Array.isArray(value) || value.length > shape.longest) return;
    for (let i = 0; i < value.length && !isFull(found); i++) searchAt(shape.item, value[i], i, path, found);
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const key in value) {
      const field = shape.fields.get(key) ?? shape.others;
      if (field) searchAt(field, value[key], key, path, found);
      else if (!shape.takesOwn && !isNotGiven(value[key])) found.push([...path, key]);
      if (isFull(found)) return;
    }
  }
}

function searchAt(shape: Shape, value: unknown, step: string | number, path: (string | number)[], found: Path[]): void {
  if (shape.kind === 'leaf' || shape.kind === 'as_sent') return;
  path.push(step);
  search(shape, value, path, found);
  path.pop();
}

const isFull = (found: readonly Path[]): boolean => found.length > MAX_WARNINGS;
