/**
 * Pages of the operator interface: the body is an array, and `Link: <…>; rel="next"` carries on.
 */
import type { Page, PageQuery } from '../db';
import { fieldError } from '../shared/errors';
import type { OperatorPage } from '../shared/query';
import type { AppContext } from './app';
import { validationFailed } from './replies';

const DEFAULT_LIMIT = 50;

const BAD_CURSOR = fieldError(['cursor'], 'invalid', 'Take the cursor from the Link header of the page before.');

/** The page that a query asks for: 50 unless it says how many. */
export const pageOf = ({ limit = DEFAULT_LIMIT, cursor }: OperatorPage): PageQuery => ({ limit, cursor });

/** A page and, if there is more, the address of the next; 400 for a cursor that is none. */
export function pageReply<Row>(c: AppContext, page: Page<Row>, view: (row: Row) => unknown): Response {
  if (page.kind === 'bad_cursor') return validationFailed(c, [BAD_CURSOR]);
  const items = page.rows.map(view);
  if (page.cursor === undefined) return c.json(items);
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', page.cursor);
  return c.json(items, 200, { Link: `<${next.pathname}${next.search}>; rel="next"` });
}
