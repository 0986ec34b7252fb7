/**
 * Pages of the operator interface: the body is an array, and `Link: <…>; rel="next"` carries on.
 */
import type { Page, PageQuery } from '../db';
import { fieldError } from '../shared/errors';
import type { AppContext } from './app';
import { validationFailed } from './replies';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const BAD_CURSOR = fieldError(['cursor'], 'invalid', 'Take the cursor from the Link header of the page before.');

/** `?limit=` (1–500, 50 by default) and `?cursor=`, or the 400 that says that the limit is wrong. */
export function pageQuery(c: AppContext): PageQuery | Response {
  const [limit, cursor] = [c.req.query('limit'), c.req.query('cursor')];
  const count = limit === undefined ? DEFAULT_LIMIT : /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  const isWrong = count < 1 || count > MAX_LIMIT;
  return isWrong
    ? validationFailed(c, [fieldError(['limit'], 'invalid', `Enter a number from 1 to ${MAX_LIMIT}.`)])
    : { limit: count, cursor };
}

/** A page and, if there is more, the address of the next; 400 for a cursor that is none. */
export function pageReply<Row>(c: AppContext, page: Page<Row>, view: (row: Row) => unknown): Response {
  if (page.kind === 'bad_cursor') return validationFailed(c, [BAD_CURSOR]);
  const items = page.rows.map(view);
  if (page.cursor === undefined) return c.json(items);
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', page.cursor);
  return c.json(items, 200, { Link: `<${next.pathname}${next.search}>; rel="next"` });
}
