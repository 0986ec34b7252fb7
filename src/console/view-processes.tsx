import type { FC } from 'hono/jsx';
import { STATUSES, type Status, statusOf } from '../import-processes';
import { errorOf, type ListedRow, type SupplierDetails } from '../operator';
import { Crumbs, Page } from './layout';
import { at, Empty, Moment, Pager, StatusBadge } from './parts';
import type { Session } from './session';
import { STATUS_WORDS } from './words';

export interface ProcessesProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly rows: readonly ListedRow[];
  readonly status: Status | undefined;
  readonly prefix: string;
  readonly errorCode: string;
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly told: string | undefined;
}

const Row: FC<{ code: string; row: ListedRow }> = ({ code, row }) => {
  const error = errorOf(row.error);
  return (
    <tr>
      <td>
        <a class="main" href={at('suppliers', code, 'processes', row.externalAccountNumber)}>
          {row.externalAccountNumber}
        </a>
        {row.isDryRun === 1 ? <span class="soft small"> dry run</span> : null}
        {error ? (
          <div class="soft small mono">{error.errors?.[0] ? `${error.errors[0].code} at ${error.errors[0].attr}` : error.code}</div>
        ) : null}
      </td>
      <td class="tight">
        <StatusBadge status={statusOf(row.status)} />
      </td>
      <td class="tight wide mono">{row.accountNumber ?? <span class="soft">–</span>}</td>
      <td class="tight wide number">
        <Moment instant={row.modifiedAt} />
      </td>
    </tr>
  );
};

export const ProcessesPage: FC<ProcessesProps> = ({ session, supplier, rows, status, prefix, errorCode, isFirst, next, told }) => {
  const here = at('suppliers', supplier.code, 'processes');
  const isFiltered = status !== undefined || prefix !== '' || errorCode !== '';
  return (
    <Page title={`Accounts of ${supplier.name}`} place="Overview" session={session} told={told}>
      <div class="head">
        <div class="head-text">
          <Crumbs
            path={[
              ['Suppliers', '/operator/'],
              [supplier.name, at('suppliers', supplier.code)],
            ]}
          />
          <h1>Accounts</h1>
        </div>
      </div>
      <section class="card" aria-label="Accounts">
        <form
          class="filters"
          method="get"
          action={here}
          hx-get={here}
          hx-target="#results"
          hx-select="#results"
          hx-swap="outerHTML"
          hx-trigger="input delay:250ms, change, submit"
          hx-push-url="true"
        >
          <label class="visually-hidden" for="prefix">
            Begins with
          </label>
          <input
            id="prefix"
            name="prefix"
            type="search"
            value={prefix}
            placeholder="External number begins with…, or platform number"
            autocomplete="off"
            spellcheck={false}
          />
          <label class="visually-hidden" for="status">
            Status
          </label>
          <select id="status" name="status">
            <option value="">Any status</option>
            {STATUSES.map((name) => (
              <option value={name} selected={name === status}>
                {STATUS_WORDS[name][0]}
              </option>
            ))}
          </select>
          {errorCode === '' ? null : (
            <>
              <label class="visually-hidden" for="error_code">
                Error code
              </label>
              <input id="error_code" name="error_code" class="mono" value={errorCode} />
            </>
          )}
          <button type="submit" class="visually-hidden">
            Search
          </button>
        </form>
        <div id="results">
          {rows.length > 0 ? (
            <table class="table">
              <thead>
                <tr>
                  <th>External account number</th>
                  <th>Status</th>
                  <th class="wide">Account number</th>
                  <th class="wide">Last change</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row code={supplier.code} row={row} />
                ))}
              </tbody>
            </table>
          ) : isFiltered ? (
            <Empty title="No account matches">
              <p>External numbers are searched from their first character, and case counts; platform numbers and identifiers whole.</p>
              <div class="actions">
                <a class="button" href={here}>
                  Show all
                </a>
              </div>
            </Empty>
          ) : (
            <Empty title="No account yet">
              <p>
                Accounts appear here once the importer creates them. Give the organisation an API key and point its people to the{' '}
                <a href="/docs/">reference</a>.
              </p>
            </Empty>
          )}
          <Pager next={next} isFirst={isFirst} first={here} />
        </div>
      </section>
    </Page>
  );
};
