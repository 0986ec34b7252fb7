import { authenticationFailed, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { addNotes } from './add';
import { createNotes } from './endpoints';

/** `POST /v1/data-import/notes/create/` (§4.1) */
export const postNotes = route(createNotes, async (c) => {
  const outcome = await addNotes(c.var.deps, c.var.caller, c.var.body.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'added':
      return c.json(outcome.results, 201);
    default:
      return unreachable(outcome);
  }
});
