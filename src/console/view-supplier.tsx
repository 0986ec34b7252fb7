import type { FC } from 'hono/jsx';
import { type ErrorSummary, isUnreadable, minutesLeft, type SupplierDetails } from '../operator';
import { Crumbs, Page } from './layout';
import { at, DialogLink, Empty, Progress, SupplierBadge } from './parts';
import type { Session } from './session';
import { count, errorWords, pollFor, pollForErrors, rate, shortSpan } from './words';

export interface SupplierPageProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly organisation: string;
  readonly perMinute: number;
  /** Left out where only the numbers are asked for anew. */
  readonly errors: ErrorSummary | undefined;
  readonly told: string | undefined;
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly id: string;
  readonly unit?: string;
  readonly href?: string;
  /** The part of the progress bar it stands for. */
  readonly part?: 'imported' | 'moving' | 'pending' | 'errored';
  readonly isBad?: boolean;
}

const Figure: FC<FigureProps> = ({ name, value, id, unit, href, part, isBad }) => (
  <div class={isBad ? 'bad' : undefined}>
    <dt>
      {part ? <i class={part} /> : null}
      {name}
    </dt>
    <dd>
      {href ? (
        <a id={id} href={href}>
          {value}
        </a>
      ) : (
        value
      )}
      {unit ? <small> {unit}</small> : null}
    </dd>
  </div>
);

const Actions: FC<{ supplier: SupplierDetails }> = ({ supplier }) => {
  const to = (status: string) => `${at('suppliers', supplier.code, 'status')}?to=${status}`;
  return (
    <div class="actions">
      <a class="button" href={at('suppliers', supplier.code, 'processes')}>
        Accounts
      </a>
      <a class="button" href={at('suppliers', supplier.code, 'runs')}>
        Runs
      </a>
      <a class="button" href={at('suppliers', supplier.code, 'settings')}>
        Settings
      </a>
      {supplier.status === 'Ongoing' ? <DialogLink href={to('Paused')}>Pause…</DialogLink> : null}
      {supplier.status === 'Paused' ? (
        <DialogLink class="button primary" href={to('Ongoing')}>
          Resume…
        </DialogLink>
      ) : null}
      {supplier.status === 'Complete' || supplier.status === undefined ? (
        <DialogLink href={to('Ongoing')}>Open again…</DialogLink>
      ) : (
        <DialogLink href={to('Complete')}>Complete…</DialogLink>
      )}
    </div>
  );
};

const Errors: FC<Pick<SupplierPageProps, 'supplier'> & ErrorSummary> = ({ supplier, codes, fieldCodes }) => (
  <section
    class="card"
    id="errors"
    data-live
    aria-labelledby="errors-title"
    hx-get={at('suppliers', supplier.code)}
    hx-trigger={pollForErrors(supplier.counts.ERRORED)}
    hx-select="#errors"
    hx-swap="outerHTML"
  >
    <div class="card-head">
      <h2 id="errors-title">Errors</h2>
      {codes.length > 0 ? <span class="soft small">by code</span> : null}
    </div>
    {codes.length === 0 ? (
      <Empty title="No account is errored">
        <p>Accounts that cannot be created gather here by the code of their error.</p>
      </Empty>
    ) : (
      <div class="card-body">
        <div class="stack">
          {codes.map(({ code, count: errored }) => (
            <div>
              <div class="split">
                <a
                  id={`error-${code}`}
                  class="mono"
                  href={`${at('suppliers', supplier.code, 'processes')}?status=ERRORED&error_code=${encodeURIComponent(code)}`}
                >
                  {code}
                </a>
                <span class="count">{count(errored)}</span>
              </div>
              <div class="row-between">
                <p class="soft small">{errorWords(code).what}</p>
                {supplier.status === 'Complete' ? null : (
                  <DialogLink
                    id={`retry-${code}`}
                    href={`${at('suppliers', supplier.code, 'retry-errored')}?error_code=${encodeURIComponent(code)}`}
                  >
                    {errored === 1 ? 'Retry…' : 'Retry all…'}
                  </DialogLink>
                )}
              </div>
            </div>
          ))}
          {fieldCodes.length > 0 ? (
            <div>
              <h3>Fields that did not hold</h3>
              <ul>
                {fieldCodes.map(({ code, count: processes }) => (
                  <li class="split soft small">
                    <code>{code}</code> <span class="number">{count(processes)}</span>
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
        </div>
      </div>
    )}
  </section>
);

export const SupplierPage: FC<SupplierPageProps> = ({ session, supplier, organisation, perMinute, errors, told }) => {
  const { counts, code } = supplier;
  const list = (status: string) => `${at('suppliers', code, 'processes')}?status=${status}`;
  const left = supplier.status === 'Ongoing' ? minutesLeft(counts.PENDING + counts.IN_PROGRESS, perMinute) : undefined;
  return (
    <Page title={supplier.name} place="Overview" session={session} told={told}>
      <div class="head">
        <div class="head-text">
          <Crumbs path={[['Suppliers', '/operator/']]} />
          <div class="head-line">
            <h1>{supplier.name}</h1>
            <SupplierBadge supplier={supplier} />
          </div>
          <p class="lead">
            <code>{code}</code> of <a href={at('organisations', supplier.organisationId)}>{organisation}</a>
          </p>
        </div>
        <Actions supplier={supplier} />
      </div>
      {isUnreadable(supplier) ? (
        <div class="note bad" role="alert">
          <b>What is stored of this supplier cannot be read by this release.</b>
          <p>
            Its imports wait and its requests fail until {supplier.configuration ? 'a status is chosen' : 'its settings are given anew'}.
          </p>
        </div>
      ) : null}
      <section
        class="card"
        id="live"
        data-live
        aria-label="Progress"
        hx-get={at('suppliers', code)}
        hx-trigger={pollFor(counts.PENDING + counts.IN_PROGRESS)}
        hx-select="#live"
        hx-swap="outerHTML"
      >
        <div class="card-body stack">
          <dl class="figures">
            <Figure id="n-imported" part="imported" name="Imported" value={count(counts.PROCESSED)} href={list('PROCESSED')} />
            <Figure id="n-moving" part="moving" name="In progress" value={count(counts.IN_PROGRESS)} href={list('IN_PROGRESS')} />
            <Figure id="n-pending" part="pending" name="Pending" value={count(counts.PENDING)} href={list('PENDING')} />
            <Figure
              id="n-errored"
              part="errored"
              name="Errored"
              value={count(counts.ERRORED)}
              href={list('ERRORED')}
              isBad={counts.ERRORED > 0}
            />
            <Figure id="n-rate" name="Pace" value={perMinute > 0 ? rate(perMinute) : '–'} unit={perMinute > 0 ? 'a minute' : ''} />
            <Figure id="n-left" name="Time left" value={left === undefined ? '–' : shortSpan(left)} />
          </dl>
          <Progress id="bar" counts={counts} />
        </div>
      </section>
      <div class="grid-2">
        <section class="card" aria-labelledby="chart-title">
          <div class="card-head">
            <h2 id="chart-title">Imports per minute</h2>
            <span class="chart-legend">
              <span>
                <i class="imported" />
                imported
              </span>
              <span>
                <i class="errored" />
                errored
              </span>
            </span>
          </div>
          <figure class="card-body">
            <div class="chart" data-chart={at('suppliers', code, 'chart')} aria-hidden="true" />
            <figcaption class="soft small" id="chart-told">
              The last hour
            </figcaption>
          </figure>
        </section>
        {errors ? <Errors supplier={supplier} {...errors} /> : null}
      </div>
    </Page>
  );
};
