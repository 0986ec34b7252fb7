import type { FC } from 'hono/jsx';
import { STATUSES, statusOf } from '../import-processes';
import { errorOf, type ListedRow, mayDo, type ProcessFilter, type SupplierDetails, type Total } from '../operator';
import { Crumbs, Page } from './layout';
import { accounts, at, Empty, Moment, Pager, StatusBadge } from './parts';
import type { Session } from './session';
import { STATUS_WORDS } from './words';

export interface ProcessesProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly rows: readonly ListedRow[];
  readonly total: Total;
  readonly filter: ProcessFilter;
  /** Codes of errors there are. */
  readonly codes: readonly string[];
  readonly next: string | undefined;
  readonly notice: string | undefined;
}

/** What can be done to a process from the list. */
const isRetryable = ({ status }: ListedRow): boolean => statusOf(status) === 'ERRORED';
const isCancellable = ({ status }: ListedRow): boolean => statusOf(status) === 'PENDING';

const Row: FC<{ code: string; row: ListedRow; canPick: boolean }> = ({ code, row, canPick }) => {
  const error = errorOf(row.error);
  const number = row.externalAccountNumber;
  return (
    <tr>
      {canPick ? (
        <td class="tight">
          {isRetryable(row) || isCancellable(row) ? (
            <input type="checkbox" form="selected" name="external" value={number} aria-label={`Select ${number}`} />
          ) : null}
        </td>
      ) : null}
      <td>
        <a class="main" href={at('suppliers', code, 'processes', number)}>
          {number}
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

/** The filter as an address holds it. */
function queryOf({ status, prefix, errorCode, field }: ProcessFilter): string {
  const given = { status, prefix, error_code: errorCode, field_code: field?.code, attr: field?.attr };
  return new URLSearchParams(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
}

const Filters: FC<Pick<ProcessesProps, 'filter' | 'codes'> & { here: string }> = ({ here, filter, codes }) => {
  const { status, prefix = '', errorCode, field } = filter;
  const known = errorCode === undefined || codes.includes(errorCode) ? codes : [errorCode, ...codes];
  return (
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
      <input
        id="prefix"
        name="prefix"
        type="search"
        value={prefix}
        placeholder="External number begins with…, or platform number"
        aria-label="Begins with"
        autocomplete="off"
        spellcheck={false}
      />
      <select id="status" name="status" aria-label="Status">
        <option value="">Any status</option>
        {STATUSES.map((name) => (
          <option value={name} selected={name === status}>
            {STATUS_WORDS[name][0]}
          </option>
        ))}
      </select>
      {known.length > 0 ? (
        <select id="error_code" name="error_code" aria-label="Error code">
          <option value="">Any error</option>
          {known.map((code) => (
            <option selected={code === errorCode}>{code}</option>
          ))}
        </select>
      ) : null}
      {field ? (
        <>
          <input type="hidden" name="field_code" value={field.code} />
          <input type="hidden" name="attr" value={field.attr} />
          <a class="button" href={here} aria-label={`Show all, not only ${field.code} at ${field.attr}`}>
            <code>
              {field.code} at {field.attr}
            </code>{' '}
            ×
          </a>
        </>
      ) : null}
      <button type="submit" class="visually-hidden">
        Search
      </button>
    </form>
  );
};

/** What is done to the rows that are ticked. */
const Selected: FC<{ session: Session; code: string; list: string; rows: readonly ListedRow[] }> = ({ session, code, list, rows }) => (
  <form id="selected" class="filters" method="post" action={at('suppliers', code, 'selected')}>
    <input type="hidden" name="form_token" value={session.formToken} />
    <input type="hidden" name="list" value={list} />
    <label class="check small">
      <input type="checkbox" data-all="selected" /> All on this page
    </label>
    {rows.some(isRetryable) ? (
      <button type="submit" name="do" value="retry">
        Retry selected
      </button>
    ) : null}
    {rows.some(isCancellable) ? (
      <button type="submit" name="do" value="cancel" class="danger">
        Cancel selected…
      </button>
    ) : null}
  </form>
);

export const ProcessesPage: FC<ProcessesProps> = ({ session, supplier, rows, total, filter, codes, next, notice }) => {
  const here = at('suppliers', supplier.code, 'processes');
  const list = queryOf(filter);
  const canPick = mayDo(session.role, 'operate') && rows.some((row) => isRetryable(row) || isCancellable(row));
  const isFirst = filter.cursor === undefined;
  return (
    <Page title={`Accounts of ${supplier.name}`} place="Overview" session={session} notice={notice}>
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
        <Filters here={here} filter={filter} codes={codes} />
        <div id="results">
          <div class="filters">
            <b id="total" role="status">
              {total.isMore ? 'More than ' : ''}
              {accounts(total.count)}
            </b>
            {rows.length > 0 ? (
              <a class="small" href={`${at('suppliers', supplier.code, 'export')}?${list}`} download>
                Download CSV
              </a>
            ) : null}
          </div>
          {canPick ? <Selected session={session} code={supplier.code} list={list} rows={rows} /> : null}
          {rows.length > 0 ? (
            <table class="table">
              <thead>
                <tr>
                  {canPick ? (
                    <th>
                      <span class="visually-hidden">Select</span>
                    </th>
                  ) : null}
                  <th>External account number</th>
                  <th>Status</th>
                  <th class="wide">Account number</th>
                  <th class="wide">Last change</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row code={supplier.code} row={row} canPick={canPick} />
                ))}
              </tbody>
            </table>
          ) : list === '' ? (
            <Empty title="No account yet">
              <p>
                Accounts appear here once the importer creates them. Give the organisation an API key and point its people to the{' '}
                <a href="/docs/">reference</a>.
              </p>
            </Empty>
          ) : (
            <Empty title="No account matches">
              <p>External numbers are searched from their first character, and case counts; platform numbers and identifiers whole.</p>
              <div class="actions">
                <a class="button" href={here}>
                  Show all
                </a>
              </div>
            </Empty>
          )}
          <Pager next={next} isFirst={isFirst} first={list === '' ? here : `${here}?${list}`} />
        </div>
      </section>
    </Page>
  );
};
