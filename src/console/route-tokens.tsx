import type { AppContext, AppHandler } from '../http/app';
import { createOperatorToken, listOperatorTokens, readOperatorToken, revokeOperatorToken } from '../operator';
import { at } from './parts';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import { wrongOf } from './route-overview';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { TOKENS, TokensPage, type TokensProps } from './view-tokens';

async function tokensPage(c: AppContext, session: Session, more: Pick<TokensProps, 'values' | 'wrong' | 'fresh'>): Promise<Response> {
  const cursor = c.req.method === 'GET' ? c.req.query('cursor') : undefined;
  const list = await listOperatorTokens(c.var.deps, { limit: PAGE, cursor });
  if (list.kind === 'bad_cursor') return nothingHere(c);
  const props = { session, tokens: list.rows, isFirst: cursor === undefined, next: nextPage(c, list.cursor, TOKENS), notice: noticeOf(c) };
  return html(c, <TokensPage {...props} {...more} />, Object.keys(more.wrong).length > 0 ? 400 : 200);
}

export const getTokensPage: AppHandler = page((c, session) => tokensPage(c, session, { values: {}, wrong: {} }));

/** Answers with the page itself: the token is shown here, once, and is in no address. */
export const postTokenForm: AppHandler = change(async (c, session, form) => {
  const values = { name: textOf(form, 'name').trim(), role: textOf(form, 'role') };
  const outcome = await createOperatorToken(c.var.deps, session.actor, values);
  return outcome.kind === 'created'
    ? tokensPage(c, session, { values: {}, wrong: {}, fresh: { name: outcome.token.name, secret: outcome.secret } })
    : tokensPage(c, session, { values, wrong: wrongOf(outcome.errors) });
});

export const getRevokeTokenQuestion: AppHandler = page(async (c, session) => {
  const token = await readOperatorToken(c.var.deps, c.req.param('id') ?? '');
  if (!token) return nothingHere(c);
  return html(
    c,
    <AskPage
      session={session}
      title={`Revoke “${token.name}”?`}
      place="Tokens"
      action={at('operator-tokens', token.id, 'revoke')}
      back={TOKENS}
      confirm="Revoke the token"
      isDanger
    >
      <p>
        The token and its sessions of the console are refused from the next request on. This cannot be taken back, and no other token gets
        its name.
      </p>
    </AskPage>,
  );
});

export const postRevokeToken: AppHandler = change(async (c, session) => {
  const { kind } = await revokeOperatorToken(c.var.deps, session.actor, c.req.param('id') ?? '');
  return kind === 'revoked' ? redirectTo(c, TOKENS, 'operator_token_revoked') : nothingHere(c);
});
