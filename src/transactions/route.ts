import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import type { AppHandler } from '../http/app';
import type { QueryHandler } from '../http/query';
import { transactionRefusedBody } from '../http/replies';
import { type AddTransactionsOutcome, addTransactions, transactionsInBulk } from './add';
import { failedTransaction } from './refusal';
import type { bulkQuery } from './schema';

/** `POST /v1/data-import/transactions/create/` (§4.2) */
export const postTransactions: AppHandler = async (c) => {
  const { deps, caller, body } = c.var;
  return additionReply(c, answerTo(await addTransactions(deps, caller, body.value, c.req.query()), body.value));
};

/** Ours: `POST /v1/data-import/transactions/bulk/` */
export const postTransactionsInBulk: QueryHandler<typeof bulkQuery> = (c) =>
  bulkAdditions(c, transactionsInBulk(c.var.deps, c.req.query()), answerTo);

function answerTo(outcome: AddTransactionsOutcome, raw: unknown): LineAnswer {
  if (outcome.kind === 'added') return { status: 201, body: { results: outcome.results } };
  const failed = outcome.kind === 'invalid' ? failedTransaction(raw, outcome.errors) : undefined;
  if (outcome.kind !== 'invalid' || !failed) return refusalAnswer(outcome);
  return { status: 400, body: transactionRefusedBody(outcome.errors, failed.detail, failed.data) };
}
