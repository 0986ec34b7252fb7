import type { AppContext, AppHandler } from '../http/app';
import { invalidQuery, type QueryHandler } from '../http/query';
import { authenticationFailed, cursorExpired, notFound, validationFailed } from '../http/replies';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import { type EventPage, readAllEvents, readEvents } from './read';
import { eventsQuery } from './schema';
import { eventView } from './views';

const DEFAULT_LIMIT = 100;

/** Ours: `GET /v2/data-import/events/<code>/?cursor=&limit=`: what happened, in commit order. 200, 400, 401, 404, 410. */
export const getEvents: QueryHandler<typeof eventsQuery> = async (c) => {
  const { caller } = c.var;
  const { cursor, limit = DEFAULT_LIMIT } = c.req.valid('query');
  return pageReply(c, await readEvents(c.var.deps, caller, c.req.param('supplier') ?? '', { cursor, limit }));
};

/** `GET /platform/v1/events/?cursor=&limit=`: the events of all suppliers. 200, 400, 401, 410, 429. */
export const getAllEvents: AppHandler = async (c) => {
  const { success, data, error } = eventsQuery.safeParse(c.req.query());
  if (!success) return invalidQuery(c, error);
  return pageReply(c, await readAllEvents(c.var.deps, { cursor: data.cursor, limit: data.limit ?? DEFAULT_LIMIT }));
};

function pageReply(c: AppContext, page: EventPage): Response {
  switch (page.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'not_found':
      return notFound(c);
    case 'unknown_cursor':
      return validationFailed(c, [fieldError(['cursor'], 'invalid', 'Take the cursor from the answer before.')]);
    case 'expired':
      return cursorExpired(c, page.cursor);
    case 'page':
      return c.json({ events: page.events.map(eventView), cursor: page.cursor, has_more: page.hasMore });
    default:
      return unreachable(page);
  }
}
