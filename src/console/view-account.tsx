/** The account support page (§2.3): everything that is stored of an imported account, pinned notes on top. */
import type { Child, FC } from 'hono/jsx';
import { eventsOf, isPinned, notesInOrder, type Shown, type WholeAccount } from '../account-reading';
import { platformIdentifierOf } from '../import-processes';
import { Crumbs, Page } from './layout';
import { May } from './may';
import { at, DialogLink, Empty, Moment } from './parts';
import { Form } from './parts-forms';
import type { Session } from './session';
import { Customers, Instructions, Note, Statements, Transactions } from './view-account-parts';
import { ErasedNote } from './view-erase';
import { actionWords, eventWords } from './words';

export interface AccountProps {
  readonly session: Session;
  readonly account: WholeAccount;
  /** Unix milliseconds. */
  readonly now: number;
  readonly shown: Shown;
  readonly isRevealed: boolean;
  readonly notice?: string | undefined;
  readonly refused?: string | undefined;
}

const Card: FC<{ id: string; title: string; children?: Child }> = ({ id, title, children }) => (
  <section class="card" aria-labelledby={`${id}-title`}>
    <div class="card-head">
      <h2 id={`${id}-title`}>{title}</h2>
    </div>
    {children}
  </section>
);

const History: FC<{ account: WholeAccount }> = ({ account }) => {
  const happened = eventsOf(account).map(({ event, occurredAt }) => {
    const [words, tone] = eventWords(event);
    return { words, tone, by: '', occurredAt };
  });
  const done = account.history.map(({ action, actor, occurredAt }) => ({
    words: actionWords(action),
    tone: 'quiet',
    by: actor,
    occurredAt,
  }));
  return (
    <ol class="timeline">
      {[...happened, ...done]
        .toSorted((a, b) => a.occurredAt - b.occurredAt)
        .map(({ words, tone, by, occurredAt }) => (
          <li class={tone}>
            <b>{by === '' ? words : `${by} ${words}`}</b>
            <div class="soft small">
              <Moment instant={occurredAt} />
            </div>
          </li>
        ))}
    </ol>
  );
};

const Numbers: FC<{ account: WholeAccount }> = ({ account: { row, accountNumber } }) => (
  <dl class="pairs">
    <dt>Account number</dt>
    <dd class="mono">{accountNumber}</dd>
    <dt>Platform identifier</dt>
    <dd class="mono">{platformIdentifierOf(accountNumber)}</dd>
    <dt>Supplier</dt>
    <dd>
      <a href={at('suppliers', row.supplierCode)}>{row.supplierCode}</a>
    </dd>
    <dt>Import</dt>
    <dd>
      <a href={at('suppliers', row.supplierCode, 'processes', row.externalAccountNumber)}>{row.externalAccountNumber}</a>
    </dd>
    <dt>Created</dt>
    <dd>
      <Moment instant={row.finishedAt ?? row.createdAt} />
    </dd>
  </dl>
);

const Head: FC<AccountProps> = ({ session, account: { row, accountNumber }, isRevealed }) => (
  <div class="head">
    <div class="head-text">
      <Crumbs
        path={[
          ['Suppliers', '/operator/'],
          [row.supplierCode, at('suppliers', row.supplierCode)],
          ['Accounts', at('suppliers', row.supplierCode, 'processes')],
        ]}
      />
      <div class="head-line">
        <h1>{accountNumber}</h1>
        <span class="soft">{row.externalAccountNumber}</span>
      </div>
    </div>
    {row.erasedAt !== null ? null : isRevealed ? (
      <span class="soft small">As it is stored; that you looked is in the audit log.</span>
    ) : (
      <div class="actions">
        <May role={session.role} needs="operate">
          <Form action={at('accounts', accountNumber, 'reveal')} token={session.formToken}>
            <button type="submit">Reveal personal data</button>
          </Form>
          <span class="soft small">Each reveal is audited.</span>
        </May>
        <May role={session.role} needs="administer">
          <DialogLink id="erase" class="button danger" href={at('accounts', accountNumber, 'erase')}>
            Erase…
          </DialogLink>
        </May>
      </div>
    )}
  </div>
);

export const AccountPage: FC<AccountProps> = (props) => {
  const { session, account, now, shown, notice, refused } = props;
  const notes = notesInOrder(account.notes, now);
  const others = notes.filter((row) => !isPinned(row, now));
  return (
    <Page title={account.accountNumber} place="Overview" session={session} notice={notice}>
      <Head {...props} />
      <ErasedNote erasedAt={account.row.erasedAt} />
      {refused ? (
        <p class="note bad" role="alert">
          {refused}
        </p>
      ) : null}
      {notes
        .filter((row) => isPinned(row, now))
        .map((row) => (
          <Note role={session.role} account={account} shown={shown} row={row} now={now} isPinned />
        ))}
      <div class="grid-2">
        <div class="stack">
          <Card id="customers" title="Customers">
            <Customers account={account} shown={shown} />
          </Card>
          <Card id="transactions" title="Transactions">
            <Transactions account={account} shown={shown} />
          </Card>
          <Card id="notes" title="Notes">
            {others.length === 0 ? (
              <Empty title={notes.length === 0 ? 'No notes' : 'All notes are pinned'} />
            ) : (
              <div class="card-body stack">
                {others.map((row) => (
                  <Note role={session.role} account={account} shown={shown} row={row} now={now} />
                ))}
              </div>
            )}
          </Card>
        </div>
        <div class="stack">
          <Card id="numbers" title="Account">
            <div class="card-body">
              <Numbers account={account} />
            </div>
          </Card>
          <Card id="instructions" title="Payment instructions">
            <Instructions role={session.role} account={account} shown={shown} />
          </Card>
          <Card id="statements" title="Statements">
            <Statements role={session.role} account={account} shown={shown} />
          </Card>
          <Card id="history" title="What happened">
            <div class="card-body">
              <History account={account} />
            </div>
          </Card>
        </div>
      </div>
      <Card id="fields" title="Fields of the account">
        <div class="card-body">
          {account.fields ? (
            <pre class="payload" tabindex={0}>
              {JSON.stringify(shown(account.fields), null, 2)}
            </pre>
          ) : (
            <p class="soft">Its payload cannot be read.</p>
          )}
        </div>
      </Card>
    </Page>
  );
};
