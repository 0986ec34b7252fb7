import type { AppContext } from '../http/app';
import { invalidTransition, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import * as declared from './endpoints';
import type { Erased } from './erase';
import { eraseAccount } from './erase-account';
import { eraseProcess } from './erase-process';
import { erasureView } from './views';

function reply(c: AppContext, outcome: Erased): Response {
  switch (outcome.kind) {
    case 'erased':
      return c.json(erasureView(outcome.erasure));
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
}

/** `POST /operator/v1/accounts/{number}/erase/` {`reason`, `delete_documents`}: 200 with what was erased; 400, 401, 404, 409. */
export const postEraseAccount = route(declared.eraseAccount, async (c) => {
  return reply(c, await eraseAccount(c.var.deps, c.var.operator.actor, c.req.valid('param').number, c.var.body.value));
});

/** `POST /operator/v1/suppliers/{code}/import-processes/{external}/erase/`: the same of what was never imported. 200, 400, 401, 404, 409. */
export const postEraseProcess = route(declared.eraseProcess, async (c) => {
  const { code, external } = c.req.valid('param');
  return reply(c, await eraseProcess(c.var.deps, c.var.operator.actor, code, external, c.var.body.value));
});
