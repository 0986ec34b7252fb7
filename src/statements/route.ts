import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import type { AppHandler } from '../http/app';
import { type AddStatementsOutcome, addStatements, statementsInBulk } from './add';

/** `POST /v1/data-import/historical-statements/create/` (§4.3) */
export const postStatements: AppHandler = async (c) =>
  additionReply(c, answerTo(await addStatements(c.var.deps, c.var.caller, c.var.body.value)));

/** Ours: `POST /v1/data-import/historical-statements/bulk/` */
export const postStatementsInBulk: AppHandler = (c) => bulkAdditions(c, statementsInBulk(c.var.deps), answerTo);

const answerTo = (outcome: AddStatementsOutcome): LineAnswer =>
  outcome.kind === 'added' ? { status: 201, body: outcome.validated } : refusalAnswer(outcome);
