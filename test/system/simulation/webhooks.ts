/**
 * Organisations that have events pushed to them: they add webhooks, disable and enable them, rotate their secrets, have them sent
 * again from some place on, and remove them.
 */
import { cursorOf, eventIdOf } from '../../../src/events/rules-cursor';
import { readRows } from '../../support/tables';
import { CURSOR_KEY, type GivenSupplier, SUPPLIERS } from './audit';
import type { People } from './importer';
import type { Random } from './random';
import { isTaken, type Receiver } from './receiver';
import type { Answer } from './service';
import type { Task, World } from './world';

/** Types that somebody wants who does not want them all. */
const SOME = ['account_imports.finished', 'notes.added', 'account.erased'];
const MOST = 3;

type Kind = 'disable' | 'enable' | 'remove' | 'rotate' | 'replay' | 'test';

/** Something done to a webhook. Moments of the world. */
export interface WebhookDeed {
  readonly kind: Kind;
  readonly startedAt: number;
  endedAt: number;
  /** By the clock of the world when it was asked for, Unix milliseconds. */
  readonly at: number;
  status: number | undefined;
  /** Its write may take effect later than its answer. */
  isUnderWay: boolean;
  /** Of a replay: the place that it goes on behind. */
  readonly after?: number | undefined;
}

export interface Webhook {
  readonly supplier: GivenSupplier;
  readonly url: string;
  readonly types: readonly string[] | undefined;
  /** The suppliers that it is reported of. */
  readonly codes: readonly string[] | undefined;
  /** Undefined until it is known to be there. */
  id: string | undefined;
  /** The secrets in their order, with when they were asked for. */
  readonly secrets: { readonly secret: string; readonly deed: { readonly at: number } }[];
  /** The newest event when it was asked for. */
  readonly newestBefore: number;
  /** The moment of its answer. */
  endedAt: number | undefined;
  readonly deeds: WebhookDeed[];
}

export class Webhooks {
  readonly all: Webhook[] = [];

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly people: People,
    private readonly receiver: Receiver,
  ) {}

  /** Somebody does something with a webhook. */
  async act(): Promise<void> {
    const { random } = this;
    const known = this.all.filter(({ id, deeds }) => id !== undefined && !deeds.some(({ kind }) => kind === 'remove'));
    const deed = random.weighted({
      add: this.all.length < MOST ? 1.5 : 0,
      disable: 2,
      enable: 3,
      rotate: 1,
      replay: 2,
      test: 0.5,
      remove: 0.3,
    });
    if (known.length === 0 || deed === 'add')
      return this.add(random.chance(0.75) ? SUPPLIERS[0] : SUPPLIERS[2], random.chance(0.4), random.chance(0.25));
    const webhook = random.pick(known);
    return this.change(webhook, deed);
  }

  /** `isFiltered` by type, and `isOfOne` supplier alone. */
  async add(supplier: GivenSupplier | undefined, isFiltered = false, isOfOne = false): Promise<void> {
    if (!supplier) return;
    const webhook: Webhook = {
      supplier,
      url: `https://receiver-${this.all.length}.example.com/`,
      types: isFiltered ? SOME : undefined,
      codes: isOfOne ? [supplier.code] : undefined,
      id: undefined,
      secrets: [],
      newestBefore: await newestEvent(),
      endedAt: undefined,
      deeds: [],
    };
    this.all.push(webhook);
    const body = {
      url: webhook.url,
      ...(webhook.types ? { types: webhook.types } : {}),
      ...(webhook.codes ? { import_suppliers: webhook.codes } : {}),
    };
    const deed = { at: this.world.now };
    await this.people.request(`add ${webhook.url}`, { method: 'POST', path: PATH, body }, supplier, [], (_task, answer) => {
      this.people.count('add webhook', answer);
      if (answer?.status !== 201) return;
      webhook.endedAt = this.world.moment;
      webhook.id = textIn(answer.body, 'id');
      webhook.secrets.push({ secret: textIn(answer.body, 'secret'), deed });
    });
  }

  /** Every webhook that is there is enabled, as far as they who added it know of it. */
  async enableAll(finish: () => Promise<void>): Promise<void> {
    for (const webhook of this.all) {
      if (webhook.id === undefined || webhook.deeds.some(({ kind }) => kind === 'remove')) continue;
      await this.change(webhook, 'enable');
      await finish();
    }
  }

  /** `place`: where a replay goes on behind; anywhere unless given. */
  async change(webhook: Webhook, kind: Kind, place?: number): Promise<void> {
    const path = `${PATH}${webhook.id}/`;
    const after = kind === 'replay' ? (place ?? (await this.placeToReplay(webhook))) : undefined;
    const deed: WebhookDeed = {
      kind,
      startedAt: this.world.moment + 1,
      endedAt: Number.POSITIVE_INFINITY,
      at: this.world.now,
      status: undefined,
      isUnderWay: false,
      after,
    };
    webhook.deeds.push(deed);
    const requests = {
      disable: { method: 'PATCH', path, body: { is_enabled: false } },
      enable: { method: 'PATCH', path, body: { is_enabled: true } },
      remove: { method: 'DELETE', path },
      rotate: { method: 'POST', path: `${path}rotate-secret/` },
      replay: { method: 'POST', path: `${path}replay/`, body: { cursor: cursorOf(after ?? 0, CURSOR_KEY, 1) } },
      test: { method: 'POST', path: `${path}test/` },
    };
    await this.people.request(`${kind} ${webhook.url} ${after ?? ''}`, requests[kind], webhook.supplier, [], (task, answer) =>
      this.end(webhook, deed, task, answer),
    );
  }

  private end(webhook: Webhook, deed: WebhookDeed, task: Task, answer: Answer | undefined): void {
    this.people.count(`${deed.kind} webhook`, answer);
    this.world.log(`${task.name} -> ${answer?.status ?? 'nothing'}`);
    deed.endedAt = this.world.moment;
    deed.status = answer?.status;
    deed.isUnderWay = task.isUnderWay;
    if (deed.kind !== 'rotate') return;
    // Without its answer nobody knows what signs: they ask for the next one.
    webhook.secrets.push({ secret: answer?.status === 200 ? textIn(answer.body, 'secret') : '', deed });
  }

  /** A place that nothing before is still waited for: what a replay passes over is not sent. */
  private async placeToReplay(webhook: Webhook): Promise<number> {
    const results = await readRows<FeedRow>('SELECT id, supplier_id, type FROM events ORDER BY id');
    const own = results.filter((row) => isOf(webhook, row));
    const taken = new Set(this.receiver.attempts.filter((one) => one.url === webhook.url && isTaken(one)).map(({ eventId }) => eventId));
    const firstOpen = own.findIndex(({ id }) => id > webhook.newestBefore && !taken.has(eventIdOf(id, CURSOR_KEY)));
    const passed = firstOpen < 0 ? own : own.slice(0, firstOpen);
    const places = [webhook.newestBefore, ...passed.map(({ id }) => id).filter((id) => id > webhook.newestBefore)];
    return this.random.pick(places);
  }
}

const PATH = '/v2/data-import/webhooks/';

interface FeedRow {
  readonly id: number;
  readonly supplier_id: number;
  readonly type: string;
}

/** True for an event that the webhook is for, whenever it happened. */
export function isOf({ supplier, types, codes }: Webhook, { supplier_id, type }: FeedRow): boolean {
  const of = SUPPLIERS.find(({ id }) => id === supplier_id);
  const isOfSupplier = of?.organisationId === supplier.organisationId && (codes === undefined || codes.includes(of.code));
  return isOfSupplier && (types === undefined || types.includes(type));
}

async function newestEvent(): Promise<number> {
  const results = await readRows<{ id: number }>('SELECT max(id) AS id FROM events');
  return results[0]?.id ?? 0;
}

const textIn = (body: unknown, name: string): string => (typeof body === 'object' && body !== null ? String(Reflect.get(body, name)) : '');
