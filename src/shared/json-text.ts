/**
 * Cuts in JSON text without reading its values, so that what is left stays as it was written: numbers no double can hold included.
 * The text must be valid JSON. Pure.
 */

/**
 * The object with each member replaced by what `change` makes of its value (JSON text); undefined leaves the member out. Of a name
 * that is there twice each is handed over.
 */
export function mapMembers(object: string, change: (name: string, value: string) => string | undefined): string {
  const members = partsOf(object).flatMap((part) => {
    const end = endOfString(part, 0);
    const name: unknown = JSON.parse(part.slice(0, end + 1));
    const value = change(String(name), part.slice(part.indexOf(':', end + 1) + 1).trim());
    return value === undefined ? [] : [`${part.slice(0, end + 1)}:${value}`];
  });
  return `{${members.join(',')}}`;
}

/** The array with each item (JSON text) replaced by what `change` makes of it. */
export const mapItems = (array: string, change: (item: string) => string): string => `[${partsOf(array).map(change).join(',')}]`;

/** The texts between the commas of an object or array. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      if (depth++ === 0) from = at + 1;
    } else if (character === '}' || character === ']') {
      if (--depth === 0) parts.push(text.slice(from, at).trim());
    } else if (character === ',' && depth === 1) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

/** Where the string that begins at `from` has its closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
