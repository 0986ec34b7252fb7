import type { FC } from 'hono/jsx';
import { type OperatorTokenRow, ROLES } from '../operator';
import { Page } from './layout';
import { at, Badge, DialogLink, Empty, Fresh, Moment, Pager } from './parts';
import { Field, Form, type Wrong } from './parts-forms';
import type { Session } from './session';

export const TOKENS = '/operator/operator-tokens/';

const ROLE_WORDS: ReadonlyMap<string, string> = new Map([
  ['read', 'Read: looks at everything but personal data'],
  ['operate', 'Operate: also pauses, retries, cancels, changes settings and reveals personal data'],
  ['administer', 'Administer: also makes organisations, suppliers, keys and tokens'],
]);

export interface TokensProps {
  readonly session: Session;
  readonly tokens: readonly OperatorTokenRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  /** A token that was just made: shown here and never again. */
  readonly fresh?: { readonly name: string; readonly secret: string } | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: Wrong;
  readonly notice?: string | undefined;
}

const Token: FC<{ token: OperatorTokenRow }> = ({ token }) => (
  <tr>
    <td>
      {token.name}
      <div class="soft small">
        <code>…{token.lastFour}</code>
      </div>
    </td>
    <td class="tight">{token.role}</td>
    <td class="tight wide">
      <Moment instant={token.createdAt} />
    </td>
    <td class="tight">{token.revokedAt === null ? <Badge words="In force" tone="good" /> : <Badge words="Revoked" tone="quiet" />}</td>
    <td class="tight right">
      {token.revokedAt === null ? (
        <DialogLink class="button plain" href={at('operator-tokens', token.id, 'revoke')}>
          Revoke…<span class="visually-hidden"> {token.name}</span>
        </DialogLink>
      ) : null}
    </td>
  </tr>
);

const NewToken: FC<Pick<TokensProps, 'session' | 'values' | 'wrong'>> = ({ session, values, wrong }) => (
  <section class="card" aria-labelledby="new-title">
    <div class="card-head">
      <h2 id="new-title">New token</h2>
    </div>
    <div class="card-body">
      <Form action={TOKENS} token={session.formToken} class="form">
        <Field name="name" label="Who or what it is for" placeholder="Ada Lovelace" value={values['name']} wrong={wrong['name']} required />
        <div class="field">
          <label for="f-role">Role</label>
          <select id="f-role" name="role" aria-invalid={wrong['role'] ? 'true' : undefined}>
            {ROLES.map((role) => (
              <option value={role} selected={role === (values['role'] ?? 'operate')}>
                {ROLE_WORDS.get(role)}
              </option>
            ))}
          </select>
          {wrong['role'] ? <p class="wrong">{wrong['role']}</p> : null}
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Create token
          </button>
        </div>
      </Form>
    </div>
  </section>
);

export const TokensPage: FC<TokensProps> = ({ session, tokens, isFirst, next, fresh, values, wrong, notice }) => (
  <Page title="Operators' tokens" place="Tokens" session={session} notice={notice}>
    <div class="head">
      <div class="head-text">
        <h1>Operators' tokens</h1>
        <p class="lead">
          One for each person and program, so that the audit log says who it was. The secret of the environment is the way in for the first.
        </p>
      </div>
    </div>
    {fresh ? <Fresh what={`The token “${fresh.name}”`} secret={fresh.secret} /> : null}
    <section class="card" aria-label="Tokens">
      {tokens.length === 0 ? (
        <Empty title="No token yet">
          <p>Until there is one, everybody who operates is called “operator”.</p>
        </Empty>
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Role</th>
              <th class="wide">Created</th>
              <th>State</th>
              <th>
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <Token token={token} />
            ))}
          </tbody>
        </table>
      )}
      <Pager next={next} isFirst={isFirst} first={TOKENS} />
    </section>
    <NewToken session={session} values={values} wrong={wrong} />
  </Page>
);
