import { authenticationFailed, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { addStatements } from './add';
import { createStatements } from './endpoints';

/** `POST /v1/data-import/historical-statements/create/` (§4.3) */
export const postStatements = route(createStatements, async (c) => {
  const outcome = await addStatements(c.var.deps, c.var.caller, c.var.body.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'added':
      return c.json(outcome.validated, 201);
    default:
      return unreachable(outcome);
  }
});
