/** From a declared endpoint and its handler to what Hono registers. */
import { type Hook, zValidator } from '@hono/zod-validator';
import type { Handler } from 'hono';
import type { H } from 'hono/types';
import type * as z from 'zod';
import type { Access } from './access';
import type { App, AppMiddleware } from './app';
import { type Endpoint, type ParametersOf, parametersOf } from './endpoint';
import { json } from './json';
import { query } from './query';
import { notFound } from './replies';

/** What the middleware has read for the handler: `c.req.valid('param')` and `c.req.valid('query')`. */
interface Read<Declared extends Endpoint> {
  in: { param: unknown; query: unknown };
  out: {
    param: Readonly<Record<ParametersOf<Declared['path']>, string>>;
    query: Declared extends { readonly query: infer Schema extends z.ZodObject } ? z.output<Schema> : never;
  };
}

/** An endpoint and what answers it. */
export interface Route<Declared extends Endpoint = Endpoint> {
  readonly declared: Declared;
  readonly handlers: readonly H<App>[];
}

/** Gives a declared endpoint its handler. @param readBody for a body that is not JSON: middleware that refuses what is not taken. */
export function route<Declared extends Endpoint>(
  declared: Declared,
  handler: Handler<App, string, Read<Declared>>,
  readBody?: AppMiddleware,
): Route<Declared> {
  const readers: H<App>[] = [];
  if (declared.body?.kind === 'json') readers.push(json);
  else if (readBody) readers.push(readBody);
  if (declared.path.includes(':')) readers.push(parameters(declared.path));
  if (declared.query) readers.push(query(declared.query, declared.access));
  return { declared, handlers: [...readers, handler] };
}

/** Reads the parameters of the path. The reader is made when the first request comes: a Worker's start is no time for a hundred schemas. */
function parameters(path: string): AppMiddleware {
  let read: AppMiddleware | undefined;
  return (c, next) => {
    read ??= readerOf(path);
    return read(c, next);
  };
}

function readerOf(path: string): AppMiddleware {
  const schema = parametersOf(path);
  const refuse: Hook<Record<string, string>, App, string, 'param', object, typeof schema> = (result, c) =>
    result.success ? undefined : notFound(c);
  return zValidator<typeof schema, 'param', App, string, typeof refuse>('param', schema, refuse);
}

/** A line of the map, as Hono registers it. */
export type Mapped = readonly [method: Endpoint['method'], path: string, declared: Endpoint, access: AppMiddleware, ...handlers: H<App>[]];

/** A line of the map. It shows method, path and who may call; that they are those of the declaration is a matter of types. */
export const on = <Declared extends Endpoint>(
  method: Declared['method'],
  path: Declared['path'],
  access: Access<Declared['access']>,
  { declared, handlers }: Route<Declared>,
): Mapped => [method, isPattern(path) ? path : withSlash(path), declared, access, ...handlers];

/** A pattern reads to the end of the path, its last slash included. */
const isPattern = (path: string): boolean => path.endsWith('}');

/** Every path answers with and without its last slash, never with a redirect. */
export const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
