import type { AppContext } from '../http/app';
import { documentReply } from '../http/document-reply';
import { invalidTransition, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { endPaymentInstruction } from './end-instruction';
import * as declared from './endpoints';
import { openDocument } from './open-document';
import { readAccount, readAccountOfPair, type WholeAccount } from './read';
import { revealAccount } from './reveal';
import { asIs, masked, type Shown, supportView } from './views';

const reply = (c: AppContext, account: WholeAccount | undefined, shown: Shown): Response =>
  account ? c.json(supportView(account, c.var.deps.now(), shown)) : notFound(c);

/** `GET /operator/v1/accounts/{number}/`, by platform account number or identifier: 200 whole and masked; 401, 404. */
export const getAccount = route(declared.getAccount, async (c) => {
  return reply(c, await readAccount(c.var.deps, c.req.valid('param').number), masked);
});

/** `GET /operator/v1/suppliers/{code}/accounts/{external}/`: the same by its pair. 200, 401, 404. */
export const getAccountOfPair = route(declared.getAccountOfPair, async (c) => {
  return reply(c, await readAccountOfPair(c.var.deps, c.req.valid('param').code, c.req.valid('param').external), masked);
});

/** `POST /operator/v1/accounts/{number}/reveal/`: 200 with nothing masked, audited; 401, 404. */
export const postRevealAccount = route(declared.revealAccount, async (c) => {
  return reply(c, await revealAccount(c.var.deps, c.var.operator.actor, c.req.valid('param').number), asIs);
});

/** `GET /operator/v1/accounts/{number}/documents/?key=`: 200 with a document that the account names, audited; 400, 401, 404. */
export const getDocument = route(declared.openDocument, async (c) => {
  const { key: wanted } = c.req.valid('query');
  const document = await openDocument(c.var.deps, c.var.operator.actor, c.req.valid('param').number, (key) => key === wanted);
  return document ? documentReply(c, document) : notFound(c);
});

/** `POST /operator/v1/accounts/{number}/payment-instructions/{type}/end/` {`reason`}: 200 with the account, masked; 400, 401, 404, 409. */
export const postEndInstruction = route(declared.endPaymentInstruction, async (c) => {
  const { number, type } = c.req.valid('param');
  const outcome = await endPaymentInstruction(c.var.deps, c.var.operator.actor, number, type, c.var.body.value);
  switch (outcome.kind) {
    case 'ended':
      return reply(c, outcome.account, masked);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});
