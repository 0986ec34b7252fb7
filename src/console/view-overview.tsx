import type { FC } from 'hono/jsx';
import { isUnreadable, minutesLeft, type QueueHealth, type SupplierDetails } from '../operator';
import { Page, type PageProps } from './layout';
import { May } from './may';
import { at, Badge, Empty, Moment, Progress, ProgressKey, SupplierBadge } from './parts';
import type { Session } from './session';
import { plural, pollFor, rate, span } from './words';

export interface SupplierPace {
  readonly supplier: SupplierDetails;
  /** Accounts imported per minute. */
  readonly perMinute: number;
}

/** A queue that leaves something waiting longer than this deserves a look, and so does a sweep that is this long ago. */
const LONG_SECONDS = 300;

const ago = (seconds: number): string => `${seconds < 120 ? `${seconds} s` : span(seconds / 60)} ago`;

/** What an operator has to act on, where there is something. */
function warningOf({ room, takesNewAccounts }: QueueHealth): string | undefined {
  if (room?.level === 'full') return `The database is ${room.percent} % full: new accounts are refused.`;
  if (!takesNewAccounts) return 'A restore has not been brought to its end: new accounts are refused until it is.';
  return room?.level === 'high' ? `The database is ${room.percent} % full. From 90 % on new accounts are refused.` : undefined;
}

const HealthWarning: FC<{ health: QueueHealth }> = ({ health }) => {
  const warning = warningOf(health);
  return warning === undefined ? null : (
    <p class="note bad" role="alert">
      {warning} The operator's guide says what to do.
    </p>
  );
};

const HealthLine: FC<{ health: QueueHealth; now: number }> = ({ health, now }) => {
  const { oldestPending: oldest, expiredLeases, deadLetters, lastSweepAt, room } = health;
  const sweptAgo = lastSweepAt === undefined ? undefined : Math.max(0, Math.round((now - lastSweepAt) / 1000));
  const waiting = oldest ? Math.max(0, Math.round((now - oldest.scheduledAt) / 1000)) : 0;
  const isWell = deadLetters === 0 && expiredLeases === 0 && waiting < LONG_SECONDS && (sweptAgo ?? LONG_SECONDS) < LONG_SECONDS;
  return (
    <section class="card health" aria-label="Queue">
      <Badge words={isWell ? (oldest ? 'Queue is moving' : 'Nothing is stuck') : 'Queue needs a look'} tone={isWell ? 'good' : 'held'} />
      <span>
        Longest waiting{' '}
        {oldest ? (
          <a id="oldest" href={at('suppliers', oldest.code, 'processes', oldest.externalAccountNumber)}>
            <b>{waiting < 120 ? `${waiting} s` : span(waiting / 60)}</b>
          </a>
        ) : (
          <b>nothing</b>
        )}
      </span>
      <span>
        Expired leases <b>{expiredLeases}</b>
      </span>
      <span>
        <a id="letters" href="/operator/dead-letters/">
          Dead letters
        </a>{' '}
        <b>{deadLetters}</b>
      </span>
      <span>
        Last sweep <b>{sweptAgo === undefined ? 'never' : ago(sweptAgo)}</b>
      </span>
      {room ? (
        <span>
          Database <b>{room.percent} %</b>
        </span>
      ) : null}
    </section>
  );
};

/** Accounts per minute and what is left of the way, as one line. */
export const Pace: FC<SupplierPace> = ({ supplier, perMinute }) => {
  if (isUnreadable(supplier)) return <span class="pace">What is stored of it cannot be read</span>;
  const { PENDING, IN_PROGRESS } = supplier.counts;
  const left = supplier.status === 'Ongoing' ? minutesLeft(PENDING + IN_PROGRESS, perMinute) : undefined;
  if (perMinute > 0) {
    return (
      <span class="pace">
        <b>{rate(perMinute)}</b> a minute{left === undefined ? null : ` · ${span(left)} left`}
      </span>
    );
  }
  if (PENDING + IN_PROGRESS === 0) return <span class="pace">Nothing waiting</span>;
  return <span class="pace">{supplier.status === 'Ongoing' ? 'Not moving yet' : `${plural(PENDING, 'account')} waiting`}</span>;
};

const SupplierRow: FC<SupplierPace> = ({ supplier, perMinute }) => (
  <li class="supplier" id={`supplier-${supplier.code}`}>
    <div class="supplier-top">
      <div class="supplier-name">
        <a id={`to-${supplier.code}`} href={at('suppliers', supplier.code)}>
          {supplier.name}
        </a>
        <code class="soft">{supplier.code}</code>
        <SupplierBadge supplier={supplier} />
      </div>
      <Pace supplier={supplier} perMinute={perMinute} />
    </div>
    <Progress id={`bar-${supplier.code}`} counts={supplier.counts} />
    <ProgressKey counts={supplier.counts} />
  </li>
);

export interface OverviewProps {
  readonly session: Session;
  readonly suppliers: readonly SupplierPace[];
  readonly health: QueueHealth;
  readonly hasOrganisations: boolean;
  readonly now: number;
  readonly told: PageProps['told'];
}

export const OverviewPage: FC<OverviewProps> = ({ session, suppliers, health, hasOrganisations, now, told }) => {
  const open = suppliers.reduce((sum, { supplier: { counts } }) => sum + counts.PENDING + counts.IN_PROGRESS, 0);
  return (
    <Page title="Overview" place="Overview" session={session} told={told}>
      <div class="head">
        <div class="head-text">
          <h1>Suppliers</h1>
          <p class="lead">Every migration at a glance. The numbers keep themselves up to date.</p>
        </div>
        <May role={session.role} needs="administer">
          <div class="actions">
            <a class="button primary" href="/operator/new-supplier/">
              New supplier
            </a>
          </div>
        </May>
      </div>
      <div id="live" class="stack" data-live hx-get="/operator/" hx-trigger={pollFor(open)} hx-select="#live" hx-swap="outerHTML">
        <HealthWarning health={health} />
        <HealthLine health={health} now={now} />
        <section class="card" aria-label="Suppliers">
          {suppliers.length > 0 ? (
            <ul>
              {suppliers.map((pace) => (
                <SupplierRow {...pace} />
              ))}
            </ul>
          ) : (
            <Empty title="No supplier yet">
              <p>
                {hasOrganisations
                  ? 'A supplier is one migration: its accounts, its settings, its pace. Make the first one.'
                  : 'Begin with the organisation that will send accounts, then make its supplier.'}
              </p>
              <May role={session.role} needs="administer">
                <div class="actions">
                  {hasOrganisations ? (
                    <a class="button primary" href="/operator/new-supplier/">
                      New supplier
                    </a>
                  ) : (
                    <a class="button primary" href="/operator/organisations/">
                      New organisation
                    </a>
                  )}
                </div>
              </May>
            </Empty>
          )}
        </section>
      </div>
      <p class="soft small">
        Times are in your zone; hover for UTC. Now <Moment instant={now} />.
      </p>
    </Page>
  );
};
