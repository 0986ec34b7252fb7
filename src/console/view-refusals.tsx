import type { FC } from 'hono/jsx';
import type { SupplierDetails } from '../operator';
import { OTHERS, type RefusalCount, type RefusalSummary } from '../refusals';
import { Crumbs, Page } from './layout';
import { at, Empty, Moment } from './parts';
import type { Session } from './session';
import { count, plural } from './words';

const Refused: FC<{ one: RefusalCount }> = ({ one: { code, attr, accounts, examples } }) => (
  <tr>
    <td>
      <code class="main">{code === OTHERS ? 'other errors' : code}</code>
      <div class="soft small mono">{attr}</div>
      {examples.length > 0 ? (
        <details>
          <summary>The newest {examples.length === 1 ? 'one' : examples.length}</summary>
          <ul class="soft small">
            {examples.map(([number, place, refusedAt]) => (
              <li>
                <b class="mono">{number ?? 'no account number'}</b> <code>{place}</code> <Moment instant={refusedAt} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </td>
    <td class="tight number">{count(accounts)}</td>
  </tr>
);

export interface RefusalsProps extends RefusalSummary {
  readonly session: Session;
  readonly supplier: SupplierDetails;
}

export const RefusalsPage: FC<RefusalsProps> = ({ session, supplier, refused, counts }) => (
  <Page title={`Refused, ${supplier.name}`} place="Overview" session={session}>
    <div class="head">
      <div class="head-text">
        <Crumbs
          path={[
            ['Suppliers', '/operator/'],
            [supplier.name, at('suppliers', supplier.code)],
          ]}
        />
        <h1>Refused</h1>
        <p class="lead">
          {plural(refused, 'create')} refused in the last 24 hours. They never became imports: the importer has the answers, and sends them
          again once they are right. One that was sent twice counts twice.
        </p>
      </div>
      {refused > 0 ? (
        <div class="actions">
          <a class="button" href={at('suppliers', supplier.code, 'refusals', 'download')} download={`${supplier.code}.refusals.ndjson`}>
            Download
          </a>
        </div>
      ) : null}
    </div>
    <section class="card" aria-label="Refused by code">
      {counts.length > 0 ? (
        <table class="table">
          <thead>
            <tr>
              <th>What was wrong, and where</th>
              <th>Accounts</th>
            </tr>
          </thead>
          <tbody>
            {counts.map((one) => (
              <Refused one={one} />
            ))}
          </tbody>
        </table>
      ) : (
        <Empty title="Nothing was refused">
          <p>Accounts that are refused when they are created gather here by what was wrong with them.</p>
        </Empty>
      )}
    </section>
  </Page>
);
