import type { FC } from 'hono/jsx';
import type { QueueHealth } from '../operator';
import { SUPPLIER_STATUSES } from '../suppliers';
import { Page, type PageProps } from './layout';
import { May } from './may';
import { at, Badge, Empty, Moment } from './parts';
import type { Session } from './session';
import { headlineOf, needsAttention, type SupplierPace, Suppliers } from './view-suppliers';
import { pollFor, span } from './words';

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

interface Queue extends QueueHealth {
  /** Seconds since the last sweep. */
  readonly sweptAgo: number | undefined;
  /** Seconds that the longest waiting one waits. */
  readonly waiting: number;
  readonly isWell: boolean;
}

function queueOf(health: QueueHealth, now: number): Queue {
  const { oldestPending: oldest, expiredLeases, deadLetters, lastSweepAt } = health;
  const sweptAgo = lastSweepAt === undefined ? undefined : Math.max(0, Math.round((now - lastSweepAt) / 1000));
  const waiting = oldest ? Math.max(0, Math.round((now - oldest.scheduledAt) / 1000)) : 0;
  const isWell = deadLetters === 0 && expiredLeases === 0 && waiting < LONG_SECONDS && (sweptAgo ?? LONG_SECONDS) < LONG_SECONDS;
  return { ...health, sweptAgo, waiting, isWell };
}

const HealthLine: FC<{ queue: Queue; isAllWell: boolean }> = ({
  queue: { oldestPending: oldest, expiredLeases, deadLetters, room, sweptAgo, waiting, isWell },
  isAllWell,
}) => (
  <section class="card health" aria-label="Queue">
    <Badge
      words={isWell ? (oldest ? 'Queue is moving' : isAllWell ? 'Nothing is stuck' : 'Queue is empty') : 'Queue needs a look'}
      tone={isWell ? (isAllWell ? 'good' : 'quiet') : 'held'}
    />
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

export interface OverviewProps {
  readonly session: Session;
  readonly suppliers: readonly SupplierPace[];
  readonly health: QueueHealth;
  readonly hasOrganisations: boolean;
  readonly now: number;
  readonly notice: PageProps['notice'];
}

export const OverviewPage: FC<OverviewProps> = ({ session, suppliers, health, hasOrganisations, now, notice }) => {
  const open = suppliers.reduce((sum, { supplier: { counts } }) => sum + counts.PENDING + counts.IN_PROGRESS, 0);
  const queue = queueOf(health, now);
  const needing = suppliers.filter(needsAttention).length;
  // Many rows take long to make.
  const every = `${suppliers.length > 100 ? 'every 10s' : pollFor(open)}, again`;
  return (
    <Page title="Overview" place="Overview" session={session} notice={notice}>
      <div class="head">
        <div class="head-text">
          <h1>Suppliers</h1>
        </div>
        <May role={session.role} needs="administer">
          <div class="actions">
            <a class="button primary" href="/operator/new-supplier/">
              New supplier
            </a>
          </div>
        </May>
      </div>
      <search class="filters card" id="narrow" hidden={suppliers.length < 2}>
        <input id="wanted" type="search" placeholder="Name or code" aria-label="Suppliers whose name or code holds" autocomplete="off" />
        <select id="show" aria-label="Which suppliers">
          <option value="">All suppliers</option>
          <option value="attention">Needs attention</option>
          {SUPPLIER_STATUSES.map((status) => (
            <option>{status}</option>
          ))}
        </select>
        <span id="shown" class="soft small" role="status" />
      </search>
      <div id="live" class="stack" data-live hx-get="/operator/" hx-trigger={every} hx-select="#live" hx-swap="outerHTML">
        {suppliers.length > 0 ? (
          <p class={`headline ${needing > 0 || !queue.isWell ? 'held' : 'good'}`}>{headlineOf(suppliers, queue.isWell)}</p>
        ) : null}
        <HealthWarning health={health} />
        <HealthLine queue={queue} isAllWell={needing === 0} />
        <section class="card" aria-label="Suppliers">
          {suppliers.length > 0 ? (
            <Suppliers suppliers={suppliers} />
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
