import { invalidTransition, validationFailed } from '../../http/replies';
import { route } from '../../http/route';
import { unreachable } from '../../shared/unreachable';
import * as declared from './endpoints';
import { finishRestored } from './finish';

/** `POST /operator/v1/restores/` {`restored_to`, `last_id`}: 200 with the id past which ids are given; 400, 401, 409. */
export const postRestore = route(declared.finishRestore, async (c) => {
  const outcome = await finishRestored(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'finished':
      return c.json({ epoch: outcome.epoch, last_id: outcome.lastId });
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});
