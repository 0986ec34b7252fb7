/** How references say what is answered: words, and an example of the body. Its shape is in the declaration. */
import type * as z from 'zod';
import { queryParameter } from '../shared/query';
import type { Example, Examples, Said } from './operation';

export const one = (summary: string, value: unknown): Examples => ({ example: { summary, value } });

export const SERVER_ERROR = {
  detail: 'An unexpected error occurred. Send the request again.',
  code: 'error',
  request_id: '0f6f3c1e-7d0c-4c0e-9f57-0d9f3f6f2b11',
};

export const MALFORMED: Example = {
  summary: 'Not JSON',
  value: { detail: 'JSON parse error: the body is not valid JSON.', code: 'parse_error' },
};

export const NOT_FOUND = (description: string): Said => ({
  description,
  examples: one(description, { detail: 'Not found.', code: 'not_found' }),
});

/** A 400 of the validation shape; a malformed body is answered in the shape of all other failures. */
export const invalid = (
  description: string,
  errors: readonly { detail: string; code: string; attr: string }[],
  code = 'validation_error',
): Said => ({
  description,
  examples: { invalid: { summary: 'All errors at once', value: { detail: 'The data is not valid.', code, errors } }, malformed: MALFORMED },
});

/** The error of a query parameter that is refused, as the middleware answers it. */
export function queryError(schema: z.ZodObject, attr: string) {
  const { code, detail } = queryParameter(schema.shape[attr]);
  return { detail, code, attr };
}

/** A 400 about a query parameter. */
export const invalidQuery = (schema: z.ZodObject, attr: string): Said => ({
  description: 'A query parameter is not valid.',
  examples: one(attr === 'limit' ? 'A limit out of bounds' : 'A parameter that is refused', {
    detail: 'The data is not valid.',
    code: 'validation_error',
    errors: [queryError(schema, attr)],
  }),
});

export const ok = (description: string, value: unknown, headers: readonly string[] = []): Said => ({
  description,
  examples: one(description, value),
  headers,
});
