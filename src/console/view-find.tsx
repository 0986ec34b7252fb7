import type { FC } from 'hono/jsx';
import { statusOf } from '../import-processes';
import type { FoundRow } from '../operator';
import { Crumbs, Page } from './layout';
import { at, Empty, Pager, StatusBadge } from './parts';
import type { Session } from './session';

/** Where an import leads: to its account, where there is one. */
export const pageOf = ({ accountNumber, supplierCode, externalAccountNumber }: FoundRow): string =>
  accountNumber === null ? at('suppliers', supplierCode, 'processes', externalAccountNumber) : at('accounts', accountNumber);

const Found: FC<{ row: FoundRow }> = ({ row }) => (
  <tr>
    <td>
      <a class="main" href={pageOf(row)}>
        {row.externalAccountNumber}
      </a>
      <div class="soft small">{row.supplierCode}</div>
    </td>
    <td class="tight">
      <StatusBadge status={statusOf(row.status)} />
    </td>
    <td class="tight wide mono">{row.accountNumber ?? <span class="soft">–</span>}</td>
  </tr>
);

export interface FindProps {
  readonly session: Session;
  readonly search: string;
  readonly rows: readonly FoundRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
}

export const FindPage: FC<FindProps> = ({ session, search, rows, isFirst, next }) => (
  <Page title="Find an account" place="Overview" session={session} search={search}>
    <div class="head">
      <div class="head-text">
        <Crumbs path={[['Suppliers', '/operator/']]} />
        <h1>Find an account</h1>
      </div>
    </div>
    <section class="card" aria-label="What was found">
      {rows.length > 0 ? (
        <table class="table">
          <thead>
            <tr>
              <th>External account number</th>
              <th>Status</th>
              <th class="wide">Account number</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Found row={row} />
            ))}
          </tbody>
        </table>
      ) : (
        <Empty title={search === '' ? 'Type a number above' : 'No account has this number'}>
          <p>
            A platform account number is <code>A-</code> and eight of 0–9 and A–F; an identifier is the same in decimal. External account
            numbers are searched from their first character, over all suppliers, and case counts.
          </p>
        </Empty>
      )}
      <Pager next={next} isFirst={isFirst} first={`/operator/accounts/?search=${encodeURIComponent(search)}`} />
    </section>
  </Page>
);
