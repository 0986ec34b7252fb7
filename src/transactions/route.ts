import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import { readsBulk } from '../http/bulk';
import { transactionRefusedBody } from '../http/replies';
import { route } from '../http/route';
import { type AddTransactionsOutcome, addTransactions, transactionsInBulk } from './add';
import { bulkTransactions, createTransactions } from './endpoints';
import { failedTransaction } from './refusal';

/** `POST /v1/data-import/transactions/create/` (§4.2) */
export const postTransactions = route(createTransactions, async (c) => {
  const { deps, caller, body } = c.var;
  return additionReply(c, answerTo(await addTransactions(deps, caller, body.value, c.req.query()), body.value));
});

/** Ours: `POST /v1/data-import/transactions/bulk/` */
export const postTransactionsInBulk = route(
  bulkTransactions,
  (c) => bulkAdditions(c, transactionsInBulk(c.var.deps, c.req.query()), answerTo),
  readsBulk(bulkTransactions.body),
);

function answerTo(outcome: AddTransactionsOutcome, raw: unknown): LineAnswer {
  if (outcome.kind === 'added') return { status: 201, body: { results: outcome.results } };
  const failed = outcome.kind === 'invalid' ? failedTransaction(raw, outcome.errors) : undefined;
  if (outcome.kind !== 'invalid' || !failed) return refusalAnswer(outcome);
  return { status: 400, body: transactionRefusedBody(outcome.errors, failed.detail, failed.data) };
}
