import type { FC } from 'hono/jsx';
import { Crumbs, Page } from './layout';
import { Empty } from './parts';
import type { Session } from './session';

/** Leads to the one account with a platform number or identifier, whichever supplier it is of. */
export const FindForm: FC<{ number?: string }> = ({ number = '' }) => (
  <form class="filters" method="get" action="/operator/accounts/">
    <label class="visually-hidden" for="number">
      Platform account number or identifier
    </label>
    <input
      id="number"
      name="number"
      type="search"
      value={number}
      placeholder="Platform account number or identifier"
      autocomplete="off"
      spellcheck={false}
      required
    />
    <button type="submit">Find account</button>
  </form>
);

export const FindPage: FC<{ session: Session; number: string }> = ({ session, number }) => (
  <Page title="Find an account" place="Overview" session={session}>
    <div class="head">
      <div class="head-text">
        <Crumbs path={[['Suppliers', '/operator/']]} />
        <h1>Find an account</h1>
      </div>
    </div>
    <section class="card" aria-label="Find an account">
      <FindForm number={number} />
      {number === '' ? null : (
        <Empty title="No account has this number">
          <p>
            A platform account number is <code>A-</code> and eight of 0–9 and A–F; an identifier is the same in decimal. External account
            numbers are found on the page of their supplier.
          </p>
        </Empty>
      )}
    </section>
  </Page>
);
