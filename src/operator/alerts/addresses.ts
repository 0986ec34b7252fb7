/**
 * Operators' addresses for alerts: made with a secret that is shown once, tried, removed (§10).
 */
import { auditId, auditValues } from '../../audit';
import { commit, type Page, type PageQuery, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { isoInstant } from '../../shared/dates';
import { type FieldError, fieldError } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { NotSetUp } from '../../shared/secrets';
import { isLocalUrl, NOT_PUBLIC, postSigned, type Sent } from '../../shared/standard-webhooks';
import { secretOfAddress } from './deliver';
import { alertAddressBody } from './schema';
import {
  type AddressRow,
  addressById,
  addressFailed,
  addressPage,
  addressTook,
  auditAddress,
  auditRemoval,
  deleteAddress,
  deleteDeliveries,
  insertAddress,
} from './store-addresses';

export type AddressCreated =
  | { readonly kind: 'created'; readonly address: AddressRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Each alert goes to each of them, so there are few. */
const MAX_ADDRESSES = 20;

/** Makes an address. The answer is the only place where its secret is ever shown. Throws {@link NotSetUp} where no signing key is set. */
export async function createAddress(deps: Deps, actor: string, raw: unknown): Promise<AddressCreated> {
  const { draft, errors } = parse(alertAddressBody, raw);
  const { url } = draft;
  if (errors.length > 0 || url === undefined) return { kind: 'invalid', errors };
  if (isLocalUrl(url) && deps.env.WEBHOOK_ALLOW_LOCAL !== 'on')
    return { kind: 'invalid', errors: [fieldError(['url'], NOT_PUBLIC.code, NOT_PUBLIC.detail)] };
  const [id, createdAt, audit] = [`ala_${crypto.randomUUID().replaceAll('-', '')}`, deps.now(), auditId(deps)];
  const secret = secretOfAddress(deps, id);
  if (secret === undefined) throw new NotSetUp('WEBHOOK_SIGNING_KEY is missing or shorter than 32 bytes');
  const entry = {
    id: audit,
    occurredAt: createdAt,
    actor,
    action: 'alert_address.created',
    subject: `alert address ${id}`,
    // What follows the host may be a secret of its own.
    after: { host: new URL(url).host },
  } as const;
  const [, , [address]] = await commit(deps.db, [
    auditAddress({ ...auditValues(entry), most: MAX_ADDRESSES }),
    insertAddress({ auditId: audit, id, url, createdAt }),
    addressById({ id }),
  ]);
  if (address) return { kind: 'created', address, secret };
  return {
    kind: 'invalid',
    errors: [fieldError(['url'], 'invalid', `Remove an address first: there are ${MAX_ADDRESSES}, the most there may be.`)],
  };
}

/** Newest first. */
export const listAddresses = (deps: Deps, page: PageQuery): Promise<Page<AddressRow>> =>
  readPage(deps.db, page, {
    rows: (limit, cursor) => addressPage({ limit, cursor: cursor ?? null }),
    named: (id) => addressById({ id }),
    cursorOf: ({ id }) => id,
  });

export async function readAddress(deps: Deps, id: string): Promise<AddressRow | undefined> {
  const [address] = await query(deps.db, addressById({ id }));
  return address;
}

/** Removes an address, with what was still to be delivered there. */
export async function removeAddress(deps: Deps, actor: string, id: string): Promise<{ readonly kind: 'removed' | 'not_found' }> {
  const address = await readAddress(deps, id);
  if (!address) return { kind: 'not_found' };
  const audit = auditId(deps);
  const entry = {
    id: audit,
    occurredAt: deps.now(),
    actor,
    action: 'alert_address.removed',
    subject: `alert address ${id}`,
    before: { host: new URL(address.url).host },
  } as const;
  await commit(deps.db, [
    auditRemoval({ ...auditValues(entry), id }),
    deleteDeliveries({ auditId: audit, id }),
    deleteAddress({ auditId: audit, id }),
  ]);
  return { kind: 'removed' };
}

/** Sends a signed `alert.test` now, once, and answers what became of it; undefined if there is no such address. */
export async function tryAddress(deps: Deps, id: string): Promise<Sent | undefined> {
  const secret = secretOfAddress(deps, id);
  if (secret === undefined) throw new NotSetUp('WEBHOOK_SIGNING_KEY is missing or shorter than 32 bytes');
  const address = await readAddress(deps, id);
  if (!address) return undefined;
  const body = JSON.stringify({ type: 'alert.test', timestamp: isoInstant(deps.now()), data: { address: id } });
  const sent = await postSigned(address.url, { id: `test_${crypto.randomUUID()}`, at: deps.now(), body }, [secret]);
  const now = deps.now();
  await query(deps.db, sent.kind === 'taken' ? addressTook({ id, now }) : addressFailed({ id, now, failure: sent.reason }));
  return sent;
}
