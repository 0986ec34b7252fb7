/** The words of errors, for tests that compare codes and paths alone. */
import { expect } from 'vitest';

/** The same errors, each of which says in a sentence what is wrong. */
export function worded<T extends { readonly detail: string }>(errors: readonly T[]): readonly T[] {
  for (const { detail } of errors) expect(detail).toMatch(/^[A-Z].+\.$/);
  return errors;
}
