/**
 * Keyset pages: the body is an array, and `Link: <…>; rel="next"` carries on.
 */
import { fieldError } from '../shared/errors';
import type { AppContext } from './app';
import { validationFailed } from './replies';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

export interface PageQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** `?limit=` (1–500, 50 unless told) and `?cursor=` of the operator interface, or the 400 that says which is wrong. */
export function pageQuery(c: AppContext, cursorForm?: RegExp): PageQuery | Response {
  const [limit, cursor] = [c.req.query('limit'), c.req.query('cursor')];
  const count = limit === undefined ? DEFAULT_LIMIT : /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  const errors = [];
  if (count < 1 || count > MAX_LIMIT) errors.push(fieldError(['limit'], 'invalid', `Enter a number from 1 to ${MAX_LIMIT}.`));
  if (cursor !== undefined && cursorForm && !cursorForm.test(cursor)) errors.push(fieldError(['cursor'], 'invalid', 'Not a cursor.'));
  return errors.length > 0 ? validationFailed(c, errors) : { limit: count, cursor };
}

/** A page and, if there is more, the address of the next. */
export function withNext(c: AppContext, cursor: string | undefined, items: readonly unknown[]): Response {
  if (cursor === undefined) return c.json(items);
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', cursor);
  return c.json(items, 200, { Link: `<${next.pathname}${next.search}>; rel="next"` });
}
