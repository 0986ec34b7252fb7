import type { FC } from 'hono/jsx';
import { BarePage } from './layout';

export interface SignInProps {
  readonly next: string;
  readonly wrong?: string | undefined;
  readonly notice?: string | undefined;
  /** False when no operator token is configured: then only Cloudflare Access lets anybody in. */
  readonly isOpen: boolean;
}

export const SignInPage: FC<SignInProps> = ({ next, wrong, notice, isOpen }) => (
  <BarePage title="Sign in">
    {isOpen ? (
      <form class="form" method="post" action="/operator/sign-in/">
        <h1>Operator console</h1>
        {notice ? (
          <p class="note good" role="status">
            {notice}
          </p>
        ) : null}
        <input type="hidden" name="next" value={next} />
        <div class="field">
          <label for="token">Operator token</label>
          <input
            id="token"
            name="token"
            type="password"
            required
            autofocus
            autocomplete="current-password"
            aria-invalid={wrong ? 'true' : undefined}
            aria-describedby="token-hint"
          />
          <p id="token-hint" class={wrong ? 'wrong' : 'hint'} role={wrong ? 'alert' : undefined}>
            {wrong ?? 'Locally it is OPERATOR_TOKEN in .dev.vars.'}
          </p>
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    ) : (
      <div class="ask">
        <h1>The console is closed</h1>
        <p class="soft">
          Neither an operator token (<code>OPERATOR_TOKEN</code>) nor Cloudflare Access (<code>ACCESS_TEAM_DOMAIN</code>,{' '}
          <code>ACCESS_AUDIENCE</code>) lets you in here. The operator's guide (docs/operating.md) says how to set them.
        </p>
      </div>
    )}
  </BarePage>
);
