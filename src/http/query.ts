/**
 * Query parameters: read by the schema, each refused one told as `invalid` at its own name.
 */
import { type Hook, zValidator } from '@hono/zod-validator';
import type * as z from 'zod';
import { type FieldError, fieldError } from '../shared/errors';
import { type Caller, isKeyActive } from '../tokens';
import type { App, AppContext } from './app';
import { authenticationFailed, validationFailed } from './replies';

/** The parameters, or the answer that says what is wrong with them. A revoked key is told before. */
export async function receiveQuery<T extends z.ZodObject>(c: AppContext, schema: T, caller: Caller): Promise<z.output<T> | Response> {
  let value: z.output<T> | undefined;
  let errors: FieldError[] = [];
  const keep: Hook<z.output<T>, App, string, 'query', object, T> = (result) => {
    if (result.success) value = result.data;
    else {
      const names = new Set(result.error.issues.map(({ path }) => String(path[0])));
      errors = [...names].map((name) => fieldError([name], 'invalid', 'This is not a valid value of the parameter.'));
    }
  };
  await zValidator<T, 'query', App, string, typeof keep>('query', schema, keep)(c, () => Promise.resolve());
  if (value !== undefined) return value;
  return (await isKeyActive(c.var.deps, caller)) ? validationFailed(c, errors) : authenticationFailed(c);
}
