/**
 * Changes that make a body dearer: lists that repeat an item, items that miss everything, fields that somebody looks at, long text.
 */
import * as z from 'zod';
import { accountBody } from '../../../src/accounts/schema';
import { notesBody } from '../../../src/notes/schema';
import { statementsBody } from '../../../src/statements/schema';
import { transactionsBody } from '../../../src/transactions/schema';
import type { Random } from '../simulation/random';
import { mutate } from './mutate';
import { jsonOf, Raw } from './nasty';

type Holder = unknown[] | Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && !(value instanceof Raw);

/** The names of all fields of a schema, at any depth. */
function namesIn(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesIn(schema.unwrap());
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, type]) => [name, ...namesIn(type)]);
}

const NAMES = [...new Set([accountBody, notesBody, transactionsBody, statementsBody].flatMap(namesIn))];
const COUNTS = [2, 5, 20, 100, 200, 500, 1_000, 5_000, 14_000];
const SMALL = ['{}', '[]', '0', '""', 'null', '[[]]', '[{}]', '"x"', '"2026-01-01"', 'true'];
const UNITS = ['x', '9', 'a/', '\u0301\u0316', 'é', '😀', '\u0007', ' ', '07400 ', 'a.', '\u2028', '"', '\ud800', '../'];

/** Made anew: what is changed in place must be nobody else's. */
const small = (random: Random): unknown => JSON.parse(random.pick(SMALL));
const repeated = (item: unknown, random: Random): unknown[] => Array(random.pick(COUNTS)).fill(item);
const longText = (random: Random): string => random.pick(UNITS).repeat(random.pick([1, 30, 64, 250, 1_500]));

/** Lists of things that differ, where a set would take the same ones for one. */
const different = (random: Random): Raw => {
  const count = random.pick(COUNTS);
  const [before, after] = random.pick([
    ['{"given_name":"A","mobile":"0', '"}'],
    ['{"transaction_id":"', '"}'],
    ['{"statement_id":"', '"}'],
    ['{"document_path":"d/', '/x"}'],
    ['"', '"'],
    ['{"key":"', '"}'],
  ]);
  return new Raw(`[${Array.from({ length: count }, (_, i) => `${before}${i}${after}`).join(',')}]`);
};

/** An object of many fields that nobody knows, or of one that is sent again and again. */
const fields = (random: Random): Raw => {
  const [count, value, isSame] = [random.pick(COUNTS), small(random), random.chance(0.2)];
  const width = random.pick([1, 1, 30, 300]);
  return new Raw(
    `{${Array.from({ length: count }, (_, i) => `"${(isSame ? 'a' : i.toString(36)).padStart(width, 'x')}":${jsonOf(value)}`).join(',')}}`,
  );
};

const value = (random: Random): unknown => {
  switch (random.below(7)) {
    case 0:
      return repeated(small(random), random);
    case 6:
      return [{ [random.pick(NAMES)]: repeated(small(random), random) }];
    case 1:
      return repeated({ [random.pick(NAMES)]: small(random) }, random);
    case 2:
      return fields(random);
    case 3:
      return different(random);
    case 4:
      return longText(random);
    default:
      return small(random);
  }
};

function holdersIn(root: Holder): Holder[] {
  const found = new Set<Holder>();
  const walk = (holder: Holder): void => {
    if (found.has(holder) || found.size > 200) return;
    found.add(holder);
    for (const child of Array.isArray(holder) ? holder.slice(0, 20) : Object.values(holder)) if (isHolder(child)) walk(child);
  };
  walk(root);
  return [...found];
}

/** Changes one thing, in place. */
export function worsen(root: Record<string, unknown>, random: Random): void {
  if (random.chance(0.1)) {
    mutate(root, random);
    return;
  }
  const holder = random.pick(holdersIn(root));
  if (Array.isArray(holder)) {
    const [first = {}] = holder;
    const item = random.pick([() => first, () => small(random), () => value(random)])();
    const count = random.pick([holder.length, holder.length, Math.ceil(holder.length / 2), ...COUNTS]);
    holder.splice(0, holder.length, ...Array<unknown>(count).fill(item));
    return;
  }
  const keys = Object.keys(holder);
  if (keys.length > 1 && random.chance(0.25)) Reflect.deleteProperty(holder, random.pick(keys));
  else Reflect.set(holder, random.chance(0.7) || keys.length === 0 ? random.pick(NAMES) : random.pick(keys), value(random));
}
