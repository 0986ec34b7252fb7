/** The name that somebody may have meant. Pure. */

/** The most alike of `names`, if one is alike enough to be meant; case and separators do not count. */
export function meant(name: string, names: Iterable<string>): string | undefined {
  const asked = bare(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const allowed = Math.min(2, Math.floor(Math.min(asked.length, candidate.length) / 4));
    const distance = distanceOf(asked, bare(candidate));
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}

const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Letters to put in, take out, change, or swap with their neighbour. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      const at = (line: readonly number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY;
      let least = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + cost);
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, at(before, column - 2) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? Number.POSITIVE_INFINITY;
}
