/**
 * Query parameters, as middleware: read by the schema, each refused one told as `invalid` at its own name. A revoked key is told before.
 */
import { type Hook, zValidator } from '@hono/zod-validator';
import type { Handler } from 'hono';
import type * as z from 'zod';
import { fieldError } from '../shared/errors';
import { isKeyActive } from '../tokens';
import type { App, AppContext } from './app';
import { authenticationFailed, validationFailed } from './replies';

/** A handler behind {@link query} with this schema: it has `c.req.valid('query')`. */
export type QueryHandler<Schema extends z.ZodObject> = Handler<App, string, { in: { query: unknown }; out: { query: z.output<Schema> } }>;

/** The 400 of parameters that were refused. */
export function invalidQuery(c: AppContext, { issues }: Pick<z.core.$ZodError, 'issues'>): Response {
  const names = new Set(issues.map(({ path }) => String(path[0])));
  return validationFailed(
    c,
    [...names].map((name) => fieldError([name], 'invalid', 'This is not a valid value of the parameter.')),
  );
}

/** Reads the query of an importer's request. */
export function query<Schema extends z.ZodObject>(schema: Schema) {
  const refuse: Hook<z.output<Schema>, App, string, 'query', object, Schema> = async (result, c) => {
    if (result.success) return;
    if (!(await isKeyActive(c.var.deps, c.var.caller))) return authenticationFailed(c);
    return invalidQuery(c, result.error);
  };
  return zValidator<Schema, 'query', App, string, typeof refuse>('query', schema, refuse);
}
