/**
 * What an operator is to know, looked for every minute (§10).
 */
import { commit, type Page, type PageQuery, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { lastBeat, readRoom } from '../../health';
import { MINUTE_MILLISECONDS } from '../../shared/dates';
import { openDeadLetters } from '../health/store';
import { deliverAlerts } from './deliver';
import { type Changes, type Condition, changesOf, conditionsOf, RECENT_MINUTES, type Recent, STUCK_MINUTES, worthCounting } from './rules';
import {
  type AlertRow,
  acceptedSince,
  alertById,
  alertPage,
  announceAlert,
  beginAlert,
  disabledWebhooks,
  endAlert,
  firingAlerts,
  forgetAlerts,
  type RecentRow,
  recentWrong,
  stuckSuppliers,
  updateAlert,
} from './store';

/** An alert that ended is shown for this long. */
const REMEMBERED_MILLISECONDS = 90 * 24 * 60 * MINUTE_MILLISECONDS;
/** For how long a webhook that was disabled is worth a look: then the events that it did not take are gone, unless a supplier says otherwise. */
const WEBHOOK_MILLISECONDS = 30 * 24 * 60 * MINUTE_MILLISECONDS;
/** Alerts that one look begins or ends; the next goes on. */
const MAX_CHANGES = 50;

/** Writes down what has begun and what is over, each in one batch with what is to be delivered of it. */
export async function checkAlerts(deps: Deps): Promise<void> {
  const { firing, conditions } = await measured(deps);
  const { begun, goingOn, ended } = changesOf(firing, conditions);
  const now = deps.now();
  const queries = [
    ...begun.slice(0, MAX_CHANGES).flatMap(({ rule, supplier, details }) => {
      const id = `alr_${crypto.randomUUID().replaceAll('-', '')}`;
      return [beginAlert({ id, rule, supplier, now, details: JSON.stringify(details) }), announceAlert({ id, now })];
    }),
    ...goingOn.slice(0, MAX_CHANGES).map(({ id, details }) => updateAlert({ id, details: JSON.stringify(details) })),
    ...ended.slice(0, MAX_CHANGES).flatMap(({ id }) => [endAlert({ id, now }), announceAlert({ id, now })]),
  ];
  if (queries.length > 0) await commit(deps.db, [...queries, forgetAlerts({ before: now - REMEMBERED_MILLISECONDS })]);
  log(deps, { begun, goingOn, ended });
}

async function measured(deps: Deps): Promise<{ firing: readonly AlertRow[]; conditions: readonly Condition[] }> {
  const now = deps.now();
  const minuteBefore = (minutes: number): number => Math.floor((now - minutes * MINUTE_MILLISECONDS) / MINUTE_MILLISECONDS);
  const [firing, stuck, wrong, [letters], [disabled], [sweep]] = await commit(deps.db, [
    firingAlerts({}),
    stuckSuppliers({ now, before: now - STUCK_MINUTES * MINUTE_MILLISECONDS, minute: minuteBefore(STUCK_MINUTES) }),
    recentWrong({ minute: minuteBefore(RECENT_MINUTES) }),
    openDeadLetters({}),
    disabledWebhooks({ since: now - WEBHOOK_MILLISECONDS }),
    lastBeat({ name: 'sweep' }),
  ]);
  const conditions = conditionsOf({
    stuck,
    recent: await withAccepted(deps, wrong, now - RECENT_MINUTES * MINUTE_MILLISECONDS),
    deadLetters: letters?.count ?? 0,
    disabledWebhooks: disabled,
    percentFull: readRoom(deps, deps.db)?.percent,
    sweptAt: sweep?.at,
    now,
  });
  return { firing, conditions };
}

/** Counts what was accepted only where there are refusals enough to be a share of it: almost never. */
async function withAccepted(deps: Deps, wrong: readonly RecentRow[], since: number): Promise<Recent[]> {
  const counted = wrong.filter(({ refused }) => worthCounting(refused) > 0).slice(0, MAX_CHANGES);
  const counts =
    counted.length === 0
      ? []
      : await commit(
          deps.db,
          counted.map(({ id, refused }) => acceptedSince({ supplierId: id, since, most: worthCounting(refused) })),
        );
  const accepted = new Map(counted.map(({ id }, index) => [id, counts[index]?.[0]?.accepted ?? 0]));
  return wrong.map(({ id, ...recent }) => ({ ...recent, accepted: accepted.get(id) ?? 0 }));
}

/** The log says so as well: it is there for those who have no address for alerts. */
function log(deps: Deps, { begun, ended }: Changes): void {
  for (const { rule, supplier, details } of begun)
    deps.log.error('alert_firing', new Error('an operator is to look'), { ...details, rule, supplier });
  for (const { rule, supplier } of ended) deps.log.info('alert_ended', { rule, supplier });
}

/** The work of the minute: checks the rules, and notifies those who are to know. */
export async function watch(deps: Deps): Promise<void> {
  await checkAlerts(deps);
  await deliverAlerts(deps);
}

/** What fires, as the work of the minute left it; newest first. */
export const readFiring = (deps: Deps): Promise<AlertRow[]> => query(deps.db, firingAlerts({}));

/**
 * Alerts, newest first. Looking brings them up to date: also while the work of the minute does not run, and then whoever looks sets off
 * what is to be delivered. A database that takes no writes still shows what it has.
 */
export async function listAlerts(deps: Deps, isFiringOnly: boolean, page: PageQuery): Promise<Page<AlertRow>> {
  // A page that goes on shows what the first one did; and a cursor that is wrong is refused, so it changes nothing.
  if (page.cursor === undefined) await lookAgain(deps);
  return readPage(deps.db, page, {
    rows: (limit, cursor) => alertPage({ limit, cursor: cursor ?? null, isFiringOnly: isFiringOnly ? 1 : 0 }),
    named: (id) => alertById({ id }),
    cursorOf: ({ id }) => id,
  });
}

async function lookAgain(deps: Deps): Promise<void> {
  try {
    await checkAlerts(deps);
    deps.afterReply('deliver_alerts', deliverAlerts(deps));
  } catch (error) {
    deps.log.error('alerts_not_checked', error);
  }
}
