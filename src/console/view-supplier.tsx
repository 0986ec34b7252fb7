import type { FC } from 'hono/jsx';
import { type ErrorGroups, isUnreadable, minutesLeft, RANGES, type Range, type SupplierDetails, type SupplierProgress } from '../operator';
import { Crumbs, Page } from './layout';
import { May } from './may';
import { at, DialogLink, Progress, SupplierBadge, Why } from './parts';
import type { Session } from './session';
import { Errors } from './view-errors';
import { count, pollFor, rate, shortSpan } from './words';

const RANGE_WORDS: Readonly<Record<Range, string>> = { '1h': '1 h', '24h': '24 h', all: 'all' };

export interface SupplierPageProps {
  readonly session: Session;
  readonly organisation: string;
  readonly progress: SupplierProgress;
  readonly range: Range;
  /** Creates refused in the last 24 hours. */
  readonly refused: number;
  /** Left out where only the numbers are asked for anew. */
  readonly errors: ErrorGroups | undefined;
  readonly notice: string | undefined;
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly id: string;
  readonly unit?: string;
  readonly href?: string;
  /** Its part of the progress bar. */
  readonly part?: 'imported' | 'moving' | 'pending' | 'errored' | 'refused';
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

const Actions: FC<{ session: Session; supplier: SupplierDetails }> = ({ session, supplier }) => {
  const to = (status: string) => `${at('suppliers', supplier.code, 'status')}?to=${status}`;
  return (
    <div class="actions">
      <a class="button" href={at('suppliers', supplier.code, 'processes')}>
        Accounts
      </a>
      <a class="button" href={at('suppliers', supplier.code, 'runs')}>
        Runs
      </a>
      <May role={session.role} needs="operate">
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
      </May>
    </div>
  );
};

export const SupplierPage: FC<SupplierPageProps> = ({ session, organisation, progress, range, refused, errors, notice }) => {
  const { supplier, perMinute, standstill, spans } = progress;
  const { counts, code } = supplier;
  const list = (status: string) => `${at('suppliers', code, 'processes')}?status=${status}`;
  const left = supplier.status === 'Ongoing' ? minutesLeft(counts.PENDING + counts.IN_PROGRESS, perMinute) : undefined;
  return (
    <Page title={supplier.name} place="Overview" session={session} notice={notice}>
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
        <Actions session={session} supplier={supplier} />
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
        hx-trigger={`${pollFor(counts.PENDING + counts.IN_PROGRESS)}, change from:#range`}
        hx-include="#range"
        hx-select="#live"
        hx-swap="outerHTML"
        data-spans={JSON.stringify(spans)}
      >
        <div class="card-body stack">
          {standstill ? (
            <p class={`note ${standstill.kind === 'stuck' ? 'bad' : 'held'}`} id="why">
              <Why standstill={standstill} />
            </p>
          ) : null}
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
            <Figure
              id="n-refused"
              part="refused"
              name="Refused, 24 h"
              value={count(refused)}
              href={at('suppliers', code, 'refusals')}
              isBad={refused > 0}
            />
            <Figure id="n-rate" name="Pace" value={perMinute > 0 ? rate(perMinute) : '–'} unit={perMinute > 0 ? 'a minute' : ''} />
            <Figure id="n-left" name="Time left" value={left === undefined ? '–' : shortSpan(left)} />
          </dl>
          <Progress id="bar" counts={counts} refused={refused} />
        </div>
      </section>
      <div class="grid-2">
        <section class="card" aria-labelledby="chart-title">
          <div class="card-head">
            <h2 id="chart-title">Imports</h2>
            <form id="range" class="segments" aria-label="Time shown">
              {RANGES.map((name) => (
                <label>
                  <input type="radio" name="range" value={name} checked={name === range} />
                  {RANGE_WORDS[name]}
                </label>
              ))}
            </form>
          </div>
          <figure class="card-body">
            <div class="chart" id="chart" role="img" aria-labelledby="chart-title chart-told" tabindex={0} />
            <figcaption class="soft small">
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
              <span id="chart-told" />
            </figcaption>
          </figure>
        </section>
        {errors ? <Errors session={session} supplier={supplier} errors={errors} /> : null}
      </div>
    </Page>
  );
};
