import type { AppContext, AppHandler } from '../http/app';
import { documentReply } from '../http/document-reply';
import { invalidTransition, notFound, validationFailed } from '../http/replies';
import { fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import { endPaymentInstruction } from './end-instruction';
import { openDocument } from './open-document';
import { readAccount, readAccountOfPair, type WholeAccount } from './read';
import { revealAccount } from './reveal';
import { asIs, masked, type Shown, supportView } from './views';

const numberOf = (c: AppContext): string => c.req.param('number') ?? '';

const reply = (c: AppContext, account: WholeAccount | undefined, shown: Shown): Response =>
  account ? c.json(supportView(account, c.var.deps.now(), shown)) : notFound(c);

/** `GET /operator/v1/accounts/{number}/`, by platform account number or identifier: 200 whole and masked; 401, 404. */
export const getAccount: AppHandler = async (c) => {
  return reply(c, await readAccount(c.var.deps, numberOf(c)), masked);
};

/** `GET /operator/v1/suppliers/{code}/accounts/{external}/`: the same by its pair. 200, 401, 404. */
export const getAccountOfPair: AppHandler = async (c) => {
  return reply(c, await readAccountOfPair(c.var.deps, c.req.param('code') ?? '', c.req.param('external') ?? ''), masked);
};

/** `POST /operator/v1/accounts/{number}/reveal/`: 200 with nothing masked, audited; 401, 404. */
export const postRevealAccount: AppHandler = async (c) => {
  return reply(c, await revealAccount(c.var.deps, c.var.operator.actor, numberOf(c)), asIs);
};

/** `GET /operator/v1/accounts/{number}/documents/?key=`: 200 with a document that the account names, audited; 400, 401, 404. */
export const getDocument: AppHandler = async (c) => {
  const wanted = c.req.query('key');
  if (!wanted) return validationFailed(c, [fieldError(['key'], 'required', 'Say which document.')]);
  const document = await openDocument(c.var.deps, c.var.operator.actor, numberOf(c), (key) => key === wanted);
  return document ? documentReply(c, document) : notFound(c);
};

/** `POST /operator/v1/accounts/{number}/payment-instructions/{type}/end/` {`reason`}: 200 with the account, masked; 400, 401, 404, 409. */
export const postEndInstruction: AppHandler = async (c) => {
  const type = c.req.param('type') ?? '';
  const outcome = await endPaymentInstruction(c.var.deps, c.var.operator.actor, numberOf(c), type, c.var.body.value);
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
};
