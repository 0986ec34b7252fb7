/** Every body schema of the service, found by its name. */
import { readdirSync } from 'node:fs';
import * as z from 'zod';

const src = `${import.meta.dirname}/../../src/`;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /schema[\w-]*\.ts$/.test(file) && !/^(?:db|client|cli|console|openapi)\//.test(file),
);
const rooms = await Promise.all(files.map(async (file): Promise<object> => import(src + file)));

export const bodies = rooms.flatMap((exported) =>
  Object.entries(exported).flatMap(([name, value]) =>
    /(?:Body|Patch|Request)$/.test(name) && value instanceof z.ZodObject ? [{ name, schema: value }] : [],
  ),
);
