import type { AppContext } from '../http/app';
import { authenticationFailed, cursorExpired, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import * as declared from './endpoints';
import { type EventPage, readAllEvents, readEvents } from './read';
import { eventView } from './views';

const DEFAULT_LIMIT = 100;

/** `GET /v2/data-import/events/{import_supplier_code}/?cursor=&limit=`: what happened, in commit order. 200, 400, 401, 404, 410. */
export const getEvents = route(declared.listEvents, async (c) => {
  const { cursor, limit = DEFAULT_LIMIT } = c.req.valid('query');
  return pageReply(c, await readEvents(c.var.deps, c.var.caller, c.req.valid('param').import_supplier_code, { cursor, limit }));
});

/** `GET /platform/v1/events/?cursor=&limit=`: the events of all suppliers. 200, 400, 401, 410, 429. */
export const getAllEvents = route(declared.listPlatformEvents, async (c) => {
  const { cursor, limit = DEFAULT_LIMIT } = c.req.valid('query');
  return pageReply(c, await readAllEvents(c.var.deps, { cursor, limit }));
});

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
