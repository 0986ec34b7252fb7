/**
 * An organisation's webhooks: made with a secret that is shown once, changed, replayed, removed (§13).
 */
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { placeOfCursor } from '../events';
import { type FieldError, fieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { isObject } from '../shared/shape';
import { isLocalUrl, NOT_PUBLIC } from '../shared/standard-webhooks';
import type { Caller } from '../tokens';
import { replayBody, webhookBody, webhookChange } from './schema';
import { secretOf } from './secrets';
import {
  changeWebhook,
  codesOfCaller,
  deleteCursors,
  deleteWebhook,
  dropFiltered,
  insertWebhook,
  type OfWebhook,
  replayFrom,
  rotateSecret,
  tryAgain,
  type WebhookRow,
  webhooksOfCaller,
} from './store';
import { addCursors } from './store-deliveries';

type Missing = { readonly kind: 'unauthenticated' | 'not_found' };
type Invalid = { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export type Created =
  | { readonly kind: 'unauthenticated' }
  | Invalid
  | { readonly kind: 'created'; readonly webhook: WebhookRow; readonly secret: string };

/** Each event goes to each of them, so there are few. */
const MAX_WEBHOOKS = 20;

const ofCaller = ({ apiKeyId, organisationId }: Caller) => ({ apiKeyId, organisationId });

/** Makes a webhook that begins with what happens from now on. The answer is the only place where its secret is shown. */
export async function createWebhook(deps: Deps, caller: Caller, raw: unknown): Promise<Created> {
  const { value, draft, errors } = parse(webhookBody, raw);
  const known = await filterErrors(deps, caller, draft.import_suppliers);
  if (!known) return { kind: 'unauthenticated' };
  const all = [...errors, ...urlErrors(deps, draft.url), ...known];
  if (all.length > 0 || !value) return { kind: 'invalid', errors: all };
  const wanted = { ...ofCaller(caller), id: `whk_${crypto.randomUUID().replaceAll('-', '')}` };
  const secret = secretOf(deps, wanted.id, 1);
  const supplierCodes = listText(value.import_suppliers);
  const [, , rows] = await commit(deps.db, [
    insertWebhook({ ...wanted, url: value.url, supplierCodes, types: listText(value.types), now: deps.now(), most: MAX_WEBHOOKS }),
    addCursors({ id: wanted.id }),
    webhooksOfCaller(wanted),
  ]);
  const [row] = rows;
  if (!row) return { kind: 'unauthenticated' };
  if (row.webhook) return { kind: 'created', webhook: row.webhook, secret };
  const detail = `Remove a webhook first: there are ${MAX_WEBHOOKS}, the most that an organisation may have.`;
  return { kind: 'invalid', errors: [fieldError(['url'], 'invalid', detail)] };
}

/** The oldest first; undefined where the key is not in force. */
export async function listWebhooks(deps: Deps, caller: Caller): Promise<WebhookRow[] | undefined> {
  const rows = await query(deps.db, webhooksOfCaller({ ...ofCaller(caller), id: null }));
  return rows.length === 0 ? undefined : rows.flatMap(({ webhook }) => (webhook ? [webhook] : []));
}

export type Read = Missing | { readonly kind: 'found'; readonly webhook: WebhookRow };

export async function readWebhook(deps: Deps, caller: Caller, id: string): Promise<Read> {
  const [row] = await query(deps.db, webhooksOfCaller({ ...ofCaller(caller), id }));
  if (!row) return { kind: 'unauthenticated' };
  return row.webhook ? { kind: 'found', webhook: row.webhook } : { kind: 'not_found' };
}

/** Changes what the body gives. Enabling goes on where it stopped, at once; suppliers that a filter adds begin from now on. */
export async function patchWebhook(deps: Deps, caller: Caller, id: string, raw: unknown): Promise<Read | Invalid> {
  const { draft, errors } = parse(webhookChange, raw);
  const known = await filterErrors(deps, caller, draft.import_suppliers);
  if (!known) return { kind: 'unauthenticated' };
  const all = [...errors, ...urlErrors(deps, draft.url), ...known];
  if (all.length > 0) return { kind: 'invalid', errors: all };
  const found = await readWebhook(deps, caller, id);
  if (found.kind !== 'found') return found;
  const wanted: OfWebhook = { ...ofCaller(caller), id };
  const isGiven = (name: string): boolean => isObject(raw) && Object.hasOwn(raw, name);
  const givesSuppliers = Number(isGiven('import_suppliers'));
  await commit(deps.db, [
    // Suppliers that came since begin by the old filter.
    addCursors({ id }),
    changeWebhook({
      ...wanted,
      url: draft.url ?? null,
      givesSuppliers,
      supplierCodes: listText(draft.import_suppliers),
      givesTypes: Number(isGiven('types')),
      types: listText(draft.types),
      isEnabled: draft.is_enabled === undefined ? null : Number(draft.is_enabled),
    }),
    ...(givesSuppliers ? [dropFiltered(wanted), addCursors({ id })] : []),
    ...(draft.is_enabled ? [tryAgain(wanted)] : []),
  ]);
  return readWebhook(deps, caller, id);
}

export async function removeWebhook(deps: Deps, caller: Caller, id: string): Promise<Missing | { readonly kind: 'removed' }> {
  const found = await readWebhook(deps, caller, id);
  if (found.kind !== 'found') return found;
  const wanted = { ...ofCaller(caller), id };
  const [, , left] = await commit(deps.db, [deleteCursors(wanted), deleteWebhook(wanted), webhooksOfCaller(wanted)]);
  return { kind: left.length === 0 ? 'unauthenticated' : 'removed' };
}

export type Rotated = Missing | { readonly kind: 'rotated'; readonly webhook: WebhookRow; readonly secret: string };

/** A next secret, shown in this answer only; the one before signs along for 24 hours. Two at the same moment are one. */
export async function rotateWebhookSecret(deps: Deps, caller: Caller, id: string): Promise<Rotated> {
  const found = await readWebhook(deps, caller, id);
  if (found.kind !== 'found') return found;
  const { generation } = found.webhook;
  const secret = secretOf(deps, id, generation + 1);
  await query(deps.db, rotateSecret({ ...ofCaller(caller), id, generation, now: deps.now() }));
  const after = await readWebhook(deps, caller, id);
  return after.kind === 'found' ? { kind: 'rotated', webhook: after.webhook, secret } : after;
}

/** Sends again whatever happened behind a cursor of the feed, under each supplier of the webhook. */
export async function replayWebhook(
  deps: Deps,
  caller: Caller,
  id: string,
  raw: unknown,
): Promise<Read | Invalid | { readonly kind: 'expired'; readonly cursor: string }> {
  const { value, errors } = parse(replayBody, raw);
  const found = await readWebhook(deps, caller, id);
  if (found.kind !== 'unauthenticated' && !value) return { kind: 'invalid', errors };
  if (found.kind !== 'found' || !value) return found;
  const place = await placeOfCursor(deps, value.cursor);
  switch (place.kind) {
    case 'unknown_cursor':
      return { kind: 'invalid', errors: [fieldError(['cursor'], 'invalid', 'Take the cursor from an answer of the feed of events.')] };
    case 'expired':
      return place;
    case 'place':
      await commit(deps.db, [addCursors({ id }), replayFrom({ ...ofCaller(caller), id, after: place.after, now: deps.now() })]);
      return readWebhook(deps, caller, id);
  }
}

/** Nothing, or an empty list, takes everything. */
const listText = (list: readonly unknown[] | undefined): string | null => (list && list.length > 0 ? JSON.stringify(list) : null);

const urlErrors = ({ env }: Deps, url: string | undefined): FieldError[] =>
  url !== undefined && isLocalUrl(url) && env.WEBHOOK_ALLOW_LOCAL !== 'on' ? [fieldError(['url'], NOT_PUBLIC.code, NOT_PUBLIC.detail)] : [];

/** Errors of codes that are no suppliers of the caller; undefined where the key is not in force. */
async function filterErrors(deps: Deps, caller: Caller, codes: readonly (string | undefined)[] = []): Promise<FieldError[] | undefined> {
  const rows = await query(deps.db, codesOfCaller({ ...ofCaller(caller), codes: JSON.stringify(codes) }));
  if (rows.length === 0) return undefined;
  const known = new Set(rows.map(({ code }) => code));
  return codes.flatMap((code, index) =>
    code === undefined || known.has(code)
      ? []
      : [fieldError(['import_suppliers', index], 'does_not_exist', 'There is no such import supplier. Correct its code.')],
  );
}
