import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import { readsBulk } from '../http/bulk';
import { route } from '../http/route';
import { type AddStatementsOutcome, addStatements, statementsInBulk } from './add';
import { bulkStatements, createStatements } from './endpoints';

/** `POST /v1/data-import/historical-statements/create/` (§4.3) */
export const postStatements = route(createStatements, async (c) =>
  additionReply(c, answerTo(await addStatements(c.var.deps, c.var.caller, c.var.body.value))),
);

/** Ours: `POST /v1/data-import/historical-statements/bulk/` */
export const postStatementsInBulk = route(
  bulkStatements,
  (c) => bulkAdditions(c, statementsInBulk(c.var.deps), answerTo),
  readsBulk(bulkStatements.body),
);

const answerTo = (outcome: AddStatementsOutcome): LineAnswer =>
  outcome.kind === 'added' ? { status: 201, body: outcome.validated } : refusalAnswer(outcome);
