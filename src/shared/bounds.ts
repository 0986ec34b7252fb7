/**
 * How much a body may hold beside its bytes (§8). A few bytes can say an item that takes a thousand times as many to refuse, so
 * what no documented payload comes near is refused before anything looks into it. Pure.
 */

const MAX_DEPTH = 64;
/** Items of all lists together. One MiB of the shortest transactions that are right has fewer. */
const MAX_ITEMS = 15_000;
/** The one list of plain decimals (§2.4): what it holds costs nothing, unless it is no decimal. */
const DECIMALS = 'units';

/** Says in words what a decoded JSON value has too much of, or undefined. */
export function excessOf(value: unknown): string | undefined {
  const count = { items: 0 };
  if (isDeeper(value, MAX_DEPTH, '', count)) return `nested deeper than ${MAX_DEPTH} levels`;
  return count.items > MAX_ITEMS ? `more than ${MAX_ITEMS} items in lists` : undefined;
}

/** Counts items as it goes and stops counting, like looking, where there are too many. */
function isDeeper(value: unknown, levels: number, key: string, count: { items: number }): boolean {
  if (typeof value !== 'object' || value === null || count.items > MAX_ITEMS) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    if (key !== DECIMALS) count.items += list.length;
    for (const item of list) {
      if (key === DECIMALS && !isDecimal(item)) count.items++;
      if (isDeeper(item, levels - 1, '', count)) return true;
    }
    return false;
  }
  for (const name of Object.keys(value)) if (isDeeper(Reflect.get(value, name), levels - 1, name, count)) return true;
  return false;
}

const isDecimal = (value: unknown): boolean => Number.isFinite(value) || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
