/**
 * In what order requests of many accounts are stored so that each is answered as if one came after the other, in few statements. Pure.
 */

/** A request as far as the order matters. */
export interface Ordered {
  readonly accountId: number;
  /** What it adds, by identity. */
  readonly items: ReadonlySet<string>;
}

/** Items whose ids fit one bound value, with room. */
const MAX_ITEMS = 4_000;
/** Waves of one batch: each costs a few statements. */
const MAX_WAVES = 25;

/**
 * Puts requests into waves, in order: none of a wave adds what another of it adds to the same account, and a request is in a
 * later wave than every one before it that does.
 */
export function wavesOf<One extends Ordered>(requests: readonly One[]): One[][] {
  const waves: { readonly requests: One[]; items: number }[] = [];
  const next = new Map<string, number>();
  for (const one of requests) {
    const keys = [...one.items].map((item) => `${one.accountId} ${item}`);
    let at = keys.reduce((latest, key) => Math.max(latest, next.get(key) ?? 0), 0);
    for (let wave = waves[at]; wave && wave.items + keys.length > MAX_ITEMS; wave = waves[at]) at++;
    const wave = waves[at] ?? { requests: [], items: 0 };
    waves[at] = wave;
    wave.requests.push(one);
    wave.items += keys.length;
    for (const key of keys) next.set(key, at + 1);
  }
  return waves.map((wave) => wave.requests);
}

/** Puts waves into batches of a bounded number of statements and items, in order. */
export function batchesOf<One extends Ordered>(waves: readonly One[][]): One[][][] {
  const batches: One[][][] = [];
  let [last, items]: [One[][], number] = [[], 0];
  for (const wave of waves) {
    const more = wave.reduce((sum, one) => sum + one.items.size, 0);
    if (last.length > 0 && (last.length >= MAX_WAVES || items + more > MAX_ITEMS)) {
      batches.push(last);
      [last, items] = [[], 0];
    }
    last.push(wave);
    items += more;
  }
  if (last.length > 0) batches.push(last);
  return batches;
}
