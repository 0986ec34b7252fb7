/**
 * Lists of account imports (§4.9–4.11): whole, in pages that are read as the reader takes them, or one page on request.
 */

import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import type { Caller } from '../../tokens';
import { type ListKind, nextPage, openListBatch, type PageRow } from './store';

/** The first page is small so that the first byte comes soon; the others keep the number of trips low. */
const FIRST_PAGE = 200;
const PAGE = 2_000;

/** An account import summary (§2.8). */
interface Summary {
  readonly external_account_number: string;
  readonly platform_account_number: string | null;
  readonly account_created_at: string | null;
}

type NoList = { readonly kind: 'unauthenticated' } | { readonly kind: 'not_found' } | { readonly kind: 'unknown_cursor' };

interface Opened {
  readonly kind: 'opened';
  readonly first: PageRow | undefined;
  readonly next: (afterId: number, size: number) => Promise<PageRow | undefined>;
}

/** What is listed, of whose supplier. */
export interface ListRequest {
  readonly caller: Caller;
  readonly kind: ListKind;
  readonly supplierCode: string;
}

async function open(
  deps: Deps,
  { caller, kind, supplierCode }: ListRequest,
  cursor: string | undefined,
  size: number,
): Promise<NoList | Opened> {
  const db = deps.databaseOf(supplierCode);
  const [[list], [first]] = await commit(db, openListBatch(caller, kind, supplierCode, cursor, size));
  if (!list) return { kind: 'unauthenticated' };
  const supplierId = list.supplierId;
  if (supplierId === null) return { kind: 'not_found' };
  if (list.afterId === null) return { kind: 'unknown_cursor' };
  return { kind: 'opened', first, next: async (afterId, count) => (await query(db, nextPage(kind, supplierId, afterId, count)))[0] };
}

export type WholeList = NoList | { readonly kind: 'whole'; readonly pieces: AsyncGenerator<string, void> };

/**
 * JSON text of the whole array, piece by piece. The closing bracket comes only after the last page, so a text that was cut is
 * no JSON. The first page is read before this answers: the common failure is a plain error.
 */
export async function listWhole(deps: Deps, request: ListRequest): Promise<WholeList> {
  const opened = await open(deps, request, undefined, FIRST_PAGE);
  return opened.kind === 'opened' ? { kind: 'whole', pieces: piecesOf(opened) } : opened;
}

async function* piecesOf({ first, next }: Opened): AsyncGenerator<string, void> {
  let opening = '[';
  for (let page = first; page && page.lastId !== null; page = await next(page.lastId, PAGE)) {
    if (page.count === 0) continue;
    yield opening + page.items.slice(1, -1);
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

export type ListPage = NoList | { readonly kind: 'page'; readonly items: readonly Summary[]; readonly nextCursor: string | undefined };

/** At most `limit` items after the one whose external account number is the cursor, and the next cursor where there are more. */
export async function listPage(deps: Deps, request: ListRequest, limit: number, cursor: string | undefined): Promise<ListPage> {
  // One more than asked for says whether there are more.
  const wanted = limit + 1;
  const opened = await open(deps, request, cursor, Math.min(wanted, PAGE));
  if (opened.kind !== 'opened') return opened;
  const items: Summary[] = [];
  let page = opened.first;
  while (page && page.lastId !== null) {
    const more: Summary[] = JSON.parse(page.items);
    items.push(...more);
    if (items.length >= wanted) break;
    page = await opened.next(page.lastId, Math.min(wanted - items.length, PAGE));
  }
  const shown = items.slice(0, limit);
  return { kind: 'page', items: shown, nextCursor: items.length > limit ? shown.at(-1)?.external_account_number : undefined };
}
