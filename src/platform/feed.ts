/**
 * Accounts in commit order (§11): what was created is passed on once, and a reader that goes on from a cursor misses nothing.
 */
import { accountView, asIs, readAccounts } from '../account-reading';
import { query } from '../db';
import type { Deps } from '../deps';
import { MEBIBYTE } from '../shared/sizes';
import { type CommitRow, commitsFrom, sizesOf, supplierIdOf, wantedIds } from './store';

/** A place in the order: a commit, and how many of its accounts were passed. */
export interface Cursor {
  readonly commit: number;
  readonly position: number;
}

export interface FeedRequest {
  /** Only accounts of this supplier; of all without. */
  readonly supplierCode: string | undefined;
  readonly cursor: Cursor;
  readonly limit: number;
}

export type Feed =
  | { readonly kind: 'unknown_supplier' }
  /** NDJSON: a line for each account, then one with the cursor. Without that last line the text was cut. */
  | { readonly kind: 'feed'; readonly pieces: AsyncGenerator<string, void> };

/** What the page holds is looked up before this answers: the common failure is a plain error. */
export async function readFeed(deps: Deps, { supplierCode, cursor, limit }: FeedRequest): Promise<Feed> {
  const [supplier] = supplierCode === undefined ? [] : await query(deps.db, supplierIdOf({ code: supplierCode }));
  if (supplierCode !== undefined && !supplier) return { kind: 'unknown_supplier' };
  const page = await pageOf(deps, supplier?.id, cursor, limit);
  return { kind: 'feed', pieces: piecesOf(deps, page, await chunksOf(deps, page.ids)) };
}

async function* piecesOf(deps: Deps, { cursor, hasMore }: Page, chunks: readonly (readonly number[])[]): AsyncGenerator<string, void> {
  for (const ids of chunks) {
    const read = await readAccounts(deps, ids);
    yield read.map((account) => `${JSON.stringify(accountView(account, deps.now(), asIs))}\n`).join('');
  }
  yield `${JSON.stringify({ cursor: `${cursor.commit}.${cursor.position}`, has_more: hasMore })}\n`;
}

interface Page {
  readonly ids: readonly number[];
  /** Behind the last of them; past commits of other suppliers where those follow. */
  readonly cursor: Cursor;
  readonly hasMore: boolean;
}

/** Commits of one look, and looks for one page: what it costs at most, however few accounts are of the supplier. */
const [COMMITS, MAX_LOOKS] = [200, 50];

async function pageOf(deps: Deps, supplierId: number | undefined, from: Cursor, limit: number): Promise<Page> {
  const ids: number[] = [];
  let cursor = from;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const commits = await query(deps.db, commitsFrom({ commit: cursor.commit, limit: COMMITS }));
    for (const commit of commits) {
      const all = idsOf(commit);
      const start = commit.id === cursor.commit ? cursor.position : 0;
      const isWanted = supplierId === undefined || commit.supplierId === supplierId;
      if (isWanted && start < all.length && ids.length === limit) return { ids, cursor, hasMore: true };
      const end = isWanted ? Math.min(all.length, start + limit - ids.length) : all.length;
      if (isWanted) ids.push(...all.slice(start, end));
      // What was passed stays passed, should the row ever hold fewer.
      cursor = { commit: commit.id, position: Math.max(start, end) };
      if (end < all.length) return { ids, cursor, hasMore: true };
    }
    if (commits.length < COMMITS) return { ids, cursor, hasMore: false };
  }
  return { ids, cursor, hasMore: true };
}

const idsOf = ({ accountIds }: CommitRow): readonly number[] => {
  const ids: number[] = JSON.parse(accountIds);
  return ids;
};

/** Accounts read at once: so many, and of about so many bytes. One that is larger is read alone. */
const [CHUNK, CHUNK_BYTES] = [100, 2 * MEBIBYTE];

async function chunksOf(deps: Deps, ids: readonly number[]): Promise<number[][]> {
  if (ids.length === 0) return [];
  const sizes = new Map((await query(deps.db, sizesOf({ wanted: wantedIds(ids) }))).map(({ id, bytes }) => [id, bytes]));
  const chunks: number[][] = [];
  let [chunk, room]: [number[], number] = [[], 0];
  for (const id of ids) {
    const bytes = sizes.get(id) ?? 0;
    if (chunk.length === CHUNK || bytes > room || chunk.length === 0) {
      chunk = [];
      chunks.push(chunk);
      room = CHUNK_BYTES;
    }
    chunk.push(id);
    room -= bytes;
  }
  return chunks;
}
