/**
 * What must be true of what webhooks were sent: every event of theirs, none that did not happen, in its order, signed, and nothing once
 * they are disabled or removed.
 */
import { createHmac } from 'node:crypto';
import { eventIdOf } from '../../../src/events/rules-cursor';
import { CURSOR_KEY, type Stored, SUPPLIERS } from './audit';
import { type Attempt, isTaken } from './receiver';
import { isOf, type Webhook, type WebhookDeed } from './webhooks';

type Event = Stored['feed'][number];

const DAY = 24 * 60 * 60_000;

export const checkWebhooks = (webhooks: readonly Webhook[], attempts: readonly Attempt[], stored: Stored, skew: number): string[] =>
  webhooks.flatMap((webhook) => {
    const own = attempts.filter(({ url }) => url === webhook.url);
    const pushed = own.filter(({ eventId }) => !eventId.startsWith('test_'));
    const events = stored.feed.filter((event) => isOf(webhook, event));
    return [
      ...checkStart(webhook, stored),
      ...checkContent(pushed, events),
      ...SUPPLIERS.flatMap(({ id }) =>
        checkOrder(
          webhook,
          pushed,
          events.filter(({ supplier_id }) => supplier_id === id),
          stored,
        ),
      ),
      ...checkClosed(webhook, pushed),
      ...own.flatMap((attempt) => checkSignature(webhook, attempt, skew)),
      ...own.filter(({ body }) => body.includes('personal')).map(() => 'what it was sent is personal'),
    ].map((line) => `webhook ${webhook.url}: ${line}`);
  });

/** It begins with what happens once it was asked for, and with what happens after its answer at the latest. */
function checkStart({ url, newestBefore, endedAt }: Webhook, { webhooks, deeds }: Stored): string[] {
  const row = webhooks.find((one) => one.url === url);
  if (!row || endedAt === undefined) return [];
  const after = deeds.find(({ what, moment }) => what === 'told' && moment > endedAt);
  return row.start_id < newestBefore || (after && Number(after.subject) <= row.start_id)
    ? [`it begins behind the event ${row.start_id}`]
    : [];
}

/** Each is an event that happened, with all it reports. */
function checkContent(pushed: readonly Attempt[], events: readonly Event[]): string[] {
  const known = new Map(events.map((event) => [eventIdOf(event.id, CURSOR_KEY), event]));
  return pushed.flatMap(({ eventId, body }) => {
    const event = known.get(eventId);
    if (!event) return [`it was sent ${body}, which is none of its events`];
    const expected = {
      id: eventId,
      type: event.type,
      occurred_at: new Date(event.occurred_at).toISOString(),
      import_supplier: SUPPLIERS.find(({ id }) => id === event.supplier_id)?.code,
      data: JSON.parse(event.data),
    };
    return inOrder(JSON.parse(body)) === inOrder(expected) ? [] : [`it was sent ${body} instead of ${JSON.stringify(expected)}`];
  });
}

const inOrder = (value: object): string => JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Events of one supplier: none is sent before every earlier one was taken, none is missing in the end, and what is sent again is sent whole. */
function checkOrder(webhook: Webhook, pushed: readonly Attempt[], events: readonly Event[], { webhooks }: Stored): string[] {
  const row = webhooks.find(({ url }) => url === webhook.url);
  const start = row?.start_id ?? webhook.newestBefore;
  const ids = events.map(({ id }) => eventIdOf(id, CURSOR_KEY));
  const first = events.findIndex(({ id }) => id > start);
  const taken = new Map<string, number>();
  const broken: string[] = [];
  for (const attempt of pushed) {
    const place = ids.indexOf(attempt.eventId);
    if (place < 0) continue;
    const skipped = ids.slice(Math.max(0, first), place).find((id) => !taken.has(id));
    if (first >= 0 && skipped !== undefined) broken.push(`event ${place} came before ${ids.indexOf(skipped)} was taken`);
    for (const replay of webhook.deeds.filter((deed) => isReplayOver(deed, webhook.deeds) && attempt.task.startedAt > deed.endedAt)) {
      const again = events.findIndex(({ id }) => id > (replay.after ?? 0));
      const left = ids.slice(Math.max(0, again), place).find((id) => (taken.get(id) ?? -1) < replay.startedAt);
      if (again >= 0 && left !== undefined) broken.push(`event ${place} came before ${ids.indexOf(left)} was taken again`);
    }
    if (isTaken(attempt)) taken.set(attempt.eventId, attempt.moment);
  }
  if (!row || row.is_enabled === 0) return broken;
  const lost = first < 0 ? [] : ids.slice(first).filter((id) => !taken.has(id));
  const notAgain = webhook.deeds
    .filter((deed) => isReplayOver(deed, webhook.deeds))
    .flatMap(({ after = 0, startedAt }) =>
      ids.filter((id, index) => (events[index]?.id ?? 0) > after && (taken.get(id) ?? -1) < startedAt),
    );
  return [
    ...broken,
    ...lost.map((id) => `event ${ids.indexOf(id)} of ${ids.length} was lost`),
    ...notAgain.map((id) => `event ${ids.indexOf(id)} of ${ids.length} was not sent again`),
  ];
}

/** A replay that was answered, and that no other one stood in the way of. */
const isReplayOver = (deed: WebhookDeed, deeds: readonly WebhookDeed[]): boolean =>
  deed.kind === 'replay' &&
  deed.status === 200 &&
  !deed.isUnderWay &&
  deeds.every((other) => other === deed || other.kind !== 'replay' || (other.endedAt < deed.startedAt && !other.isUnderWay));

/**
 * Nothing is sent by what began after it was disabled, removed or gone, until somebody enables it; what was sending then sends at most the
 * event of each supplier that it was about to send.
 */
function checkClosed({ deeds }: Webhook, pushed: readonly Attempt[]): string[] {
  const gone = pushed
    .filter(({ status, task }) => status === 410 && task.isDone && task.faults === 0)
    .map(({ task, moment }) => ({ startedAt: moment, endedAt: task.overAt, what: 'answered 410' }));
  const closed = deeds
    .filter(({ kind, status }) => (kind === 'disable' && status === 200) || (kind === 'remove' && status === 204))
    .map(({ kind, startedAt, endedAt }) => ({ startedAt, endedAt, what: `asked to ${kind}` }));
  const opens = deeds.filter(({ kind }) => kind === 'enable');
  return [...gone, ...closed].flatMap(({ startedAt, endedAt, what }) => {
    const isOpenAt = ({ moment }: Attempt): boolean =>
      opens.some((open) => open.startedAt < moment && (open.isUnderWay || open.endedAt > startedAt));
    const later = pushed.filter((attempt) => attempt.moment > endedAt && !isOpenAt(attempt));
    const isLast = ({ actor, body }: Attempt, place: number): boolean =>
      later.findIndex((one) => one.actor === actor && supplierIn(one.body) === supplierIn(body)) === place;
    return later
      .filter((attempt, place) => attempt.task.startedAt > endedAt || !isLast(attempt, place))
      .map(({ moment }) => `it was sent something at moment ${moment}, after it was ${what}`);
  });
}

const supplierIn = (body: string): unknown => JSON.parse(body).import_supplier;

/** Signed with its secret; for a day after that was replaced, with the one before as well. */
function checkSignature({ deeds, secrets }: Webhook, { task, at, moment, headers, body }: Attempt, skew: number): string[] {
  const seconds = Number(headers['webhook-timestamp']);
  if (Math.abs(seconds * 1_000 - at) > skew + 1_000 + SLOW_MILLISECONDS) return [`it was sent something of ${seconds} at ${at}`];
  const rotations = deeds.filter(({ kind, startedAt }) => kind === 'rotate' && startedAt < moment);
  const isOver = rotations.every(
    ({ status, endedAt, isUnderWay, startedAt }) =>
      status === 200 &&
      !isUnderWay &&
      endedAt < task.startedAt &&
      rotations.every((other) => other.startedAt >= startedAt || other.endedAt < startedAt),
  );
  const [last, ...earlier] = secrets.slice(0, 1 + rotations.length).toReversed();
  if (!isOver || !last || earlier.length < rotations.length) return [];
  const isAlong = rotations.length > 0 && at < last.deed.at + DAY - skew - SLOW_MILLISECONDS;
  const expected = [last, ...(isAlong ? earlier.slice(0, 1) : [])];
  const given = (headers['webhook-signature'] ?? '').split(' ');
  return expected.every(({ secret }) => given.includes(signature(secret, headers, body)))
    ? []
    : [`what it was sent at moment ${moment} is not signed with its secret`];
}

/** A request is signed before it goes, and may take so long. */
const SLOW_MILLISECONDS = 10 * 60_000;

/** As https://www.standardwebhooks.com/ says. */
function signature(secret: string, headers: Readonly<Record<string, string>>, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
