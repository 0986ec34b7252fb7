import type { FC } from 'hono/jsx';
import { statusOf } from '../import-processes';
import type { FoundRow } from '../operator';
import type { FoundKeyRow } from '../organisations';
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

/** Suppliers and keys, by where they lead. */
const Places: FC<Pick<FindProps, 'suppliers' | 'keys'>> = ({ suppliers, keys }) => (
  <section class="card" aria-label="Suppliers and keys that were found">
    <table class="table">
      <tbody>
        {suppliers.map(({ code, name }) => (
          <tr>
            <td>
              <a class="main" href={at('suppliers', code)}>
                {name}
              </a>{' '}
              <code class="soft">{code}</code>
            </td>
            <td class="tight soft">Supplier</td>
          </tr>
        ))}
        {keys.map(({ organisationId, organisation, label, lastFour, revokedAt }) => (
          <tr>
            <td>
              <a class="main" href={at('organisations', organisationId)}>
                {label}
              </a>{' '}
              <code class="soft">…{lastFour}</code>
              <div class="soft small">{organisation}</div>
            </td>
            <td class="tight soft">{revokedAt === null ? 'API key' : 'Revoked key'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

export interface FindProps {
  readonly session: Session;
  readonly search: string;
  readonly suppliers: readonly { readonly code: string; readonly name: string }[];
  readonly keys: readonly FoundKeyRow[];
  readonly rows: readonly FoundRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
}

export const FindPage: FC<FindProps> = ({ session, search, suppliers, keys, rows, isFirst, next }) => (
  <Page title="Search" place="Overview" session={session} search={search}>
    <div class="head">
      <div class="head-text">
        <Crumbs path={[['Suppliers', '/operator/']]} />
        <h1>Search</h1>
      </div>
    </div>
    {suppliers.length + keys.length > 0 ? <Places suppliers={suppliers} keys={keys} /> : null}
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
        <Empty title={search === '' ? 'Type a number or a name above' : 'No account has this number'}>
          <p>
            A platform account number is <code>A-</code> and eight of 0–9 and A–F; an identifier is the same in decimal. External account
            numbers are searched from their first character, over all suppliers, and case counts. Suppliers are found by any part of their
            code or name, API keys by their last four characters.
          </p>
        </Empty>
      )}
      <Pager next={next} isFirst={isFirst} first={`/operator/accounts/?search=${encodeURIComponent(search)}`} />
    </section>
  </Page>
);
