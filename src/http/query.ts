/**
 * Query parameters, as middleware: read by the declared schema, each refused one answered at its own name. A revoked key is answered before.
 */
import { type Hook, zValidator } from '@hono/zod-validator';
import type * as z from 'zod';
import { fieldError } from '../shared/errors';
import { queryParameter } from '../shared/query';
import { isKeyActive } from '../tokens';
import type { App, AppMiddleware } from './app';
import { CALLER, type Who } from './endpoint';
import { authenticationFailed, validationFailed } from './replies';

/**
 * Reads the query. Importers get all errors at once, and a parameter that is sent twice is refused; operators get the first error, and of a repeated parameter
 * the first value counts, as it does for systems of the platform.
 */
export function query(schema: z.ZodObject, access: Who): AppMiddleware {
  const caller = CALLER[access];
  const refuse: Hook<Record<string, unknown>, App, string, 'query', object, z.ZodObject> = async (result, c) => {
    if (result.success) return;
    if (caller === 'importer' && !(await isKeyActive(c.var.deps, c.var.caller))) return authenticationFailed(c);
    const names = [...new Set(result.error.issues.map(({ path }) => String(path[0])))];
    const errors = (caller === 'operator' ? names.slice(0, 1) : names).map((name) => {
      const { code, detail } = queryParameter(schema.shape[name]);
      return fieldError([name], code, detail);
    });
    return validationFailed(c, errors);
  };
  return zValidator<z.ZodObject, 'query', App, string, typeof refuse>('query', schema, refuse, {
    validationFunction: (shape, value) => shape.safeParseAsync(caller === 'importer' ? value : firstOfEach(value)),
  });
}

const firstOfEach = (value: Readonly<Record<string, string | string[]>>) =>
  Object.fromEntries(Object.entries(value).map(([name, given]) => [name, typeof given === 'string' ? given : given[0]]));
