/** A cell as the JSON that its field takes. Pure. */
import type { FieldKind } from '../fields';
import { type Forms, isoDate, plainNumber } from './forms';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['no', 'false'],
  ['0', 'false'],
]);

/** JSON text. What a cell of its kind cannot be goes on as text: the service names it, and its place. */
export function jsonOfCell(text: string, kind: FieldKind, forms: Forms): string {
  switch (kind) {
    case 'boolean':
      return WORDS.get(text.trim().toLowerCase()) ?? JSON.stringify(text);
    case 'date':
    case 'datetime':
      return JSON.stringify(isoDate(text, forms));
    case 'decimal':
      // As text it keeps every digit.
      return JSON.stringify(plainNumber(text, forms) ?? text);
    case 'number':
    case 'integer':
      return plainNumber(text, forms) ?? JSON.stringify(text);
    case 'text':
    case 'any':
      return JSON.stringify(text);
  }
}
