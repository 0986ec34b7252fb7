/**
 * Pages of a list, each beginning after the last row of the one before.
 */
import { commit, query } from './client';
import type { Query } from './queries';

export type Page<Row> =
  /** `cursor` names the row after which the next page goes on; undefined on the last. */
  | { readonly kind: 'page'; readonly rows: readonly Row[]; readonly cursor: string | undefined }
  /** The cursor names no row of this list. */
  | { readonly kind: 'bad_cursor' };

export interface PageQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface List<Row> {
  /** Up to `limit` rows, after the one that the cursor names. */
  readonly rows: (limit: number, cursor: string | undefined) => Query<Row>;
  /** Finds the row that a cursor names. */
  readonly named: (cursor: string) => Query;
  readonly cursorOf: (row: Row) => string;
}

/** Reads one page in one trip. */
export async function readPage<Row>(db: D1Database, { limit, cursor }: PageQuery, list: List<Row>): Promise<Page<Row>> {
  const page = list.rows(limit + 1, cursor);
  if (cursor === undefined) return pageOf(await query(db, page), limit, list);
  const [named, rows] = await commit(db, [list.named(cursor), page]);
  return named.length > 0 ? pageOf(rows, limit, list) : { kind: 'bad_cursor' };
}

function pageOf<Row>(found: readonly Row[], limit: number, { cursorOf }: List<Row>): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { kind: 'page', rows, cursor: found.length > limit && last !== undefined ? cursorOf(last) : undefined };
}
