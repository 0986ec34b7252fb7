/**
 * The search for the worst body: the most of something, bytes out or work, for a byte in. It climbs: a body is changed at random, and a
 * change that makes it worse stays; where nothing has for long, it begins again.
 */
import { randomOf } from '../simulation/random';
import type { Answered } from './answers';
import { jsonOf, Raw } from './nasty';
import { worsen } from './worsen';

/** Smaller bodies count as bodies of this size: each costs a request. */
export const LEAST_BYTES = 500;
const MAX_BYTES = 1_048_576;
const PATIENCE = 80;

export interface Found {
  readonly text: string;
  readonly bytes: number;
  /** For each byte in. */
  readonly score: number;
}

/** What of a body is to be as much as possible, given the text it is answered with. */
export type Measure = (text: string, answered: Answered) => number;

export const bytesOut: Measure = (text, { answer }) => Buffer.byteLength(answer(text));

export interface SearchOptions {
  readonly seed: number;
  /** Bodies to climb from, beside the right one. */
  readonly known?: readonly string[];
  readonly leastBytes?: number;
  /** Asked before each try. */
  readonly goesOn: (tries: number) => boolean;
}

export function searchWorst(
  answered: Answered,
  measure: Measure,
  { seed, known = [], leastBytes = LEAST_BYTES, goesOn }: SearchOptions,
): Found {
  const random = randomOf(seed);
  const beginning = (): object => (known.length === 0 || random.chance(0.3) ? answered.begin : Object(JSON.parse(random.pick(known))));
  const scored = (body: object): Found => {
    if (charactersOf(body) > MAX_BYTES) return { text: '', bytes: 0, score: 0 };
    const text = jsonOf(body);
    const bytes = Buffer.byteLength(text);
    return { text, bytes, score: bytes > MAX_BYTES ? 0 : measure(text, answered) / Math.max(bytes, leastBytes) };
  };
  let current = answered.begin;
  let found = scored(current);
  let [worst, idle] = [found, 0];
  for (const text of known) {
    const one = scored(new Raw(text));
    if (one.score > worst.score) worst = one;
  }
  for (let tries = 0; goesOn(tries); tries++) {
    if (idle > PATIENCE || tries === 0) {
      current = beginning();
      found = scored(current);
      idle = 0;
    }
    const changed = { ...copyOf(current) };
    // What is too large already would take for ever to be changed further.
    for (let change = 0; change <= random.below(3) && charactersOf(changed) <= MAX_BYTES; change++) worsen(changed, random);
    const next = scored(changed);
    idle = next.score > found.score ? 0 : idle + 1;
    if (next.score >= found.score) [current, found] = [changed, next];
    if (next.score > worst.score) worst = next;
  }
  return worst;
}

/** About as many characters as the text has, found without making it: lists of lists of one item are soon larger than memory. */
function charactersOf(body: unknown): number {
  const known = new Map<object, number>();
  const count = (value: unknown): number => {
    if (value instanceof Raw) return value.text.length;
    if (typeof value === 'string') return value.length + 2;
    if (typeof value !== 'object' || value === null) return 1;
    const found =
      known.get(value) ??
      2 + Object.entries(value).reduce((sum, [key, child]) => sum + (Array.isArray(value) ? 1 : key.length + 4) + count(child), 0);
    known.set(value, found);
    return found;
  };
  return count(body);
}

/** A copy in which what was one object still is: a list that repeats an item stays small. */
function copyOf(body: object): object {
  const copies = new Map<object, object>();
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Raw) return value;
    const known = copies.get(value);
    if (known) return known;
    const made: object = Array.isArray(value) ? [] : {};
    copies.set(value, made);
    for (const [key, child] of Object.entries(value)) Reflect.set(made, key, copy(child));
    return made;
  };
  return Object(copy(body));
}
