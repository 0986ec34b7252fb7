import { asIs, endPaymentInstruction, masked, openDocument, readAccount, revealAccount } from '../account-reading';
import type { AppContext, AppHandler } from '../http/app';
import { documentReply } from '../http/document-reply';
import { searchAccounts } from '../operator';
import { shortDigest } from '../shared/digest';
import { at } from './parts';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import type { Session } from './session';
import { AccountPage } from './view-account';
import { EndInstructionPage } from './view-end-instruction';
import { FindPage, pageOf } from './view-find';

const numberOf = (c: AppContext): string => c.req.param('number') ?? '';
const typeOf = (c: AppContext): string => c.req.param('type') ?? '';
const here = (c: AppContext): string => at('accounts', numberOf(c));

/** What the search of every page leads to: the one that was found, or a list. `number` is the search of an earlier release. */
export const getFindPage: AppHandler = page(async (c, session) => {
  const search = (c.req.query('search') ?? c.req.query('number') ?? '').trim();
  const cursor = c.req.query('cursor');
  const list = search === '' ? undefined : await searchAccounts(c.var.deps, search, { limit: PAGE, cursor });
  if (list?.kind === 'bad_cursor') return nothingHere(c);
  const rows = list?.rows ?? [];
  const [first] = rows;
  if (first && rows.length === 1 && cursor === undefined && list?.cursor === undefined) return c.redirect(pageOf(first), 303);
  const status = search !== '' && rows.length === 0 ? 404 : 200;
  const next = nextPage(c, list?.cursor);
  return html(c, <FindPage session={session} search={search} rows={rows} isFirst={cursor === undefined} next={next} />, status);
});

async function accountPage(c: AppContext, session: Session, refused?: string): Promise<Response> {
  const account = await readAccount(c.var.deps, numberOf(c));
  if (!account) return nothingHere(c);
  const now = c.var.deps.now();
  return html(
    c,
    <AccountPage session={session} account={account} now={now} shown={masked} isRevealed={false} notice={noticeOf(c)} refused={refused} />,
    refused === undefined ? 200 : 409,
  );
}

export const getAccountPage: AppHandler = page((c, session) => accountPage(c, session));

export const postRevealAccountPage: AppHandler = change(async (c, session) => {
  const account = await revealAccount(c.var.deps, session.actor, numberOf(c));
  if (!account) return nothingHere(c);
  return html(c, <AccountPage session={session} account={account} now={c.var.deps.now()} shown={asIs} isRevealed />);
});

/** A document by the digest of its key: the address does not say where it lies. */
export const getAccountDocument: AppHandler = page(async (c, session) => {
  const digest = c.req.param('digest') ?? '';
  const document = await openDocument(c.var.deps, session.actor, numberOf(c), (key) => shortDigest(key) === digest);
  return document ? documentReply(c, document) : nothingHere(c);
});

export const getEndQuestion: AppHandler = page((c, session) =>
  html(c, <EndInstructionPage session={session} number={numberOf(c)} type={typeOf(c)} />),
);

export const postEndInstructionForm: AppHandler = change(async (c, session, form) => {
  const body = { reason: textOf(form, 'reason').trim() };
  const outcome = await endPaymentInstruction(c.var.deps, session.actor, numberOf(c), typeOf(c), body);
  switch (outcome.kind) {
    case 'ended':
      return redirectTo(c, here(c), 'instruction_ended');
    case 'refused':
      return accountPage(c, session, outcome.detail);
    case 'not_found':
      return nothingHere(c);
    case 'invalid': {
      const wrong = outcome.errors[0]?.detail;
      return html(c, <EndInstructionPage session={session} number={numberOf(c)} type={typeOf(c)} wrong={wrong} />, 400);
    }
  }
});
