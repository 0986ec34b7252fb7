/** Cards of the account page: each shows data through what may be seen of it. */
import type { FC } from 'hono/jsx';
import {
  customerData,
  instructionStatus,
  noteData,
  objectIn,
  postedData,
  type Shown,
  transactionsInOrder,
  type WholeAccount,
} from '../account-reading';
import type { Role } from '../operator';
import { shortDigest } from '../shared/digest';
import { May } from './may';
import { at, Badge, DialogLink, Empty, Moment } from './parts';
import { fieldWords, plural, type Tone } from './words';

export interface AccountPartProps {
  readonly account: WholeAccount;
  readonly shown: Shown;
  /** Of whoever looks. */
  readonly role: Role;
}

/** A value of data as text; what is no text in JSON, nothing for what is not there. */
export function textIn(data: object, name: string): string {
  const value: unknown = Reflect.get(data, name);
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** `mobile_e164` as people read it. */
const words = (name: string): string => fieldWords(name).replace('e164', '(E.164)');

const Pairs: FC<{ data: object }> = ({ data }) => (
  <dl class="pairs">
    {Object.keys(data).map((name) => (
      <>
        <dt>{words(name)}</dt>
        <dd>{textIn(data, name)}</dd>
      </>
    ))}
  </dl>
);

const DocumentLink: FC<{ role: Role; account: WholeAccount; documentKey: string; name: string }> = ({
  role,
  account,
  documentKey,
  name,
}) => (
  <May role={role} needs="operate">
    <a href={at('accounts', account.accountNumber, 'documents', shortDigest(documentKey))} download>
      {name}
    </a>
  </May>
);

export const Note: FC<AccountPartProps & { row: WholeAccount['notes'][number]; now: number; isPinned?: boolean }> = ({
  role,
  account,
  shown,
  row,
  now,
  isPinned,
}) => {
  const paths: readonly object[] = row.documents ?? [];
  return (
    <article class={isPinned ? 'note held' : 'plain-note'} aria-label={isPinned ? 'Pinned note' : 'Note'}>
      <div class="lines">{textIn(shown(noteData(row, now)), 'body')}</div>
      <div class="small soft">
        {isPinned ? 'Pinned' : 'Written'} <Moment instant={row.createdAt} />
        {isPinned && row.unpinAt !== null ? (
          <>
            , until <Moment instant={row.unpinAt} />
          </>
        ) : null}
        {paths.map((document, index) => (
          <>
            {' · '}
            <DocumentLink
              role={role}
              account={account}
              documentKey={textIn(document, 'key')}
              name={`Open document ${index + 1}: ${textIn(shown(document), 'document_path')}`}
            />
          </>
        ))}
      </div>
    </article>
  );
};

export const Customers: FC<Omit<AccountPartProps, 'role'>> = ({ account: { customers }, shown }) =>
  customers.length === 0 ? (
    <Empty title="No customers" />
  ) : (
    <div class="card-body stack">
      {customers.map((row) => (
        <Pairs data={shown(customerData(row))} />
      ))}
    </div>
  );

/** Rows of one table at most: a page is read by people. */
const MAX_SHOWN = 200;
const More: FC<{ count: number }> = ({ count }) =>
  count > MAX_SHOWN ? <p class="card-body soft small">{plural(count - MAX_SHOWN, 'older one')} not shown here.</p> : null;

const Transaction: FC<{ row: WholeAccount['transactions'][number]; shown: Shown }> = ({ row, shown }) => {
  const [imported, posted] = [shown(objectIn(row.imported)), shown(postedData(row))];
  const [wasDated, isDated] = [textIn(imported, 'transaction_date').slice(0, 10), textIn(posted, 'transaction_date').slice(0, 10)];
  const note = textIn(posted, 'note');
  return (
    <>
      <tr class={note === '' ? undefined : 'noted'}>
        <td>
          <span class="mono">{row.transactionId}</span>
        </td>
        <td class="tight wide">{[row.type, textIn(imported, 'reason')].filter(Boolean).join(' · ')}</td>
        <td class="tight">
          {isDated}
          {wasDated === isDated ? null : (
            <div class="soft small">
              first dated <s>{wasDated}</s>
            </div>
          )}
        </td>
        <td class="tight number">{textIn(posted, 'amount')}</td>
      </tr>
      {note === '' ? null : (
        <tr>
          <td class="soft small lines" colspan={4}>
            {note}
          </td>
        </tr>
      )}
    </>
  );
};

export const Transactions: FC<Omit<AccountPartProps, 'role'>> = ({ account: { transactions }, shown }) =>
  transactions.length === 0 ? (
    <Empty title="No transactions" />
  ) : (
    <>
      <table class="table">
        <thead>
          <tr>
            <th>Transaction</th>
            <th class="wide">Type</th>
            <th>Posted on</th>
            <th>Amount</th>
          </tr>
        </thead>
        <tbody>
          {transactionsInOrder(transactions)
            .slice(0, MAX_SHOWN)
            .map((row) => (
              <Transaction row={row} shown={shown} />
            ))}
        </tbody>
      </table>
      <More count={transactions.length} />
    </>
  );

export const Statements: FC<AccountPartProps> = ({ account, shown, role }) =>
  account.statements.length === 0 ? (
    <Empty title="No statements" />
  ) : (
    <>
      <ul class="rows">
        {account.statements.slice(0, MAX_SHOWN).map(({ content, documentKey, statementId }) => {
          const statement = shown(objectIn(content));
          return (
            <li>
              <span class="mono">{statementId}</span>{' '}
              <span class="soft small">
                {textIn(statement, 'bill_period_from_date')} to {textIn(statement, 'bill_period_to_date')}
              </span>{' '}
              {documentKey === null ? (
                <span class="soft small">no document</span>
              ) : (
                <DocumentLink role={role} account={account} documentKey={documentKey} name="Open document" />
              )}
            </li>
          );
        })}
      </ul>
      <More count={account.statements.length} />
    </>
  );

const STATUSES = { ACTIVE: ['Active', 'good'], ENDED: ['Ended', 'quiet'], IMPORTED: ['Imported, never active', 'quiet'] } as const;

export const Instructions: FC<AccountPartProps> = ({ account, shown, role }) =>
  account.instructions.length === 0 ? (
    <Empty title="No payment instructions" />
  ) : (
    <ul class="rows">
      {account.instructions.map((row) => {
        const status = instructionStatus(row);
        const [name, tone]: readonly [string, Tone] = STATUSES[status];
        const data = shown({ reference: row.reference ?? '', ...objectIn(row.details) });
        return (
          <li>
            <div class="head-line">
              <b>
                {row.type} at {row.vendor}
              </b>
              <Badge words={name} tone={tone} />
              {status === 'ACTIVE' ? (
                <May role={role} needs="operate">
                  <DialogLink class="button danger" href={at('accounts', account.accountNumber, 'payment-instructions', row.type, 'end')}>
                    End…
                  </DialogLink>
                </May>
              ) : null}
            </div>
            <Pairs data={data} />
          </li>
        );
      })}
    </ul>
  );
