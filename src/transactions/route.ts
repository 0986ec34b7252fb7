import { authenticationFailed, notFound, transactionRefused, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { addTransactions } from './add';
import { createTransactions } from './endpoints';

/** `POST /v1/data-import/transactions/create/` (§4.2) */
export const postTransactions = route(createTransactions, async (c) => {
  const outcome = await addTransactions(c.var.deps, c.var.caller, c.var.body.value, c.req.query());
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return outcome.failed
        ? transactionRefused(c, outcome.errors, outcome.failed.detail, outcome.failed.data)
        : validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'added':
      return c.json({ results: outcome.results }, 201);
    default:
      return unreachable(outcome);
  }
});
