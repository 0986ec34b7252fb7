/** Chance that a seed decides: the same seed gives the same numbers, always. */
export interface Random {
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the keys, by its weight. Throws if all weights are 0. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

export function randomOf(seed: number): Random {
  let state = (seed * 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    weighted: (weights) => {
      const keys = Object.keys(weights) as (keyof typeof weights)[];
      const total = keys.reduce((sum, key) => sum + weights[key], 0);
      let left = next() * total;
      for (const key of keys) {
        left -= weights[key];
        if (left < 0) return key;
      }
      throw new Error('nothing has a weight');
    },
  };
}
