import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compiled } from '../../src/shared/parse';

const src = `${import.meta.dirname}/../../src/`;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /^[\w-]+\/schema[\w-]*\.ts$/.test(file));
const rooms = await Promise.all(files.map(async (file): Promise<object> => import(src + file)));

/** Every exported body schema, found by its name. */
const bodies = rooms.flatMap((exported) =>
  Object.entries(exported).flatMap(([name, value]) =>
    /(?:Body|Request)$/.test(name) && value instanceof z.ZodType ? [{ name, schema: value }] : [],
  ),
);

describe('body schemas', () => {
  it('are found', () => {
    expect(bodies.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['accountBody', 'graphqlRequest', 'notesBody', 'statementsBody', 'transactionsBody']),
    );
  });

  it.each(bodies)('$name is compiled', ({ schema }) => {
    expect(isCompiled(schema)).toBe(true);
    // zod would hand back a schema it cannot compile; asked to be strict, it throws.
    expect(() => z.compile(schema, { strict: true })).not.toThrow();
  });

  it('would be told from one that zod cannot compile', () => {
    type Tree = { children: Tree[] };
    const tree: z.ZodType<Tree> = z.object({ children: z.lazy(() => z.array(tree)) });
    expect(isCompiled(compiled(tree))).toBe(false);
    expect(() => z.compile(tree, { strict: true })).toThrow();
  });
});

const isCompiled = (schema: z.ZodType): boolean => schema._zod.bag['validator'] !== undefined;
