/**
 * The SQL of the lists (§4.9–4.11): pages of JSON text, each one range of an index, in the order of the process id.
 */
import { type Statement, statement } from '../db';
import type { Caller } from '../tokens';

export type ListKind = 'all' | 'pending' | 'imported';

/** One page: a JSON array as text, and how far the look went. */
export interface PageRow {
  readonly items: string;
  readonly count: number;
  /** The last process looked at, whether listed or not; null past the end. */
  readonly last_id: number | null;
}

export interface ListRow {
  readonly supplier_id: number | null;
  /** The process a list begins after; null if the cursor names none of the supplier's. */
  readonly after_id: number | null;
}

const LIST = `SELECT s.id AS supplier_id, iif(?4 IS NULL, 0, (SELECT p.id FROM import_processes p
    WHERE p.supplier_id = s.id AND p.external_account_number = ?4)) AS after_id
  FROM api_keys k LEFT JOIN suppliers s ON s.code = ?3 AND s.organisation_id = k.organisation_id
  WHERE k.id = ?1 AND k.organisation_id = ?2 AND k.revoked_at IS NULL`;

const PAGE = `SELECT coalesce(json_group_array(json_object('external_account_number', external_account_number,
      'platform_account_number', account_number,
      'account_created_at', strftime('%Y-%m-%dT%H:%M:%fZ', iif(account_number IS NULL, NULL, finished_at) / 1000.0, 'unixepoch')))
    FILTER (WHERE is_listed), '[]') AS items, count(*) FILTER (WHERE is_listed) AS count, max(id) AS last_id`;

// One range of the table, of which only the imported are listed if only they are asked for: bounded, however few it lists.
const range = (listed: string) => (supplier: string, after: string) =>
  `${PAGE}
  FROM (SELECT id, external_account_number, account_number, finished_at, ${listed} AS is_listed
    FROM import_processes WHERE supplier_id = ${supplier} AND id > ${after} ORDER BY id LIMIT ?1)`;

// The open index holds what has no account, in order of id within each status. Six ordered ranges are merged, three and three:
// D1 takes five terms at most.
const mergeOf = (statuses: readonly number[], supplier: string, after: string) =>
  `SELECT id FROM (${statuses
    .map(
      (status) =>
        `SELECT id FROM import_processes WHERE supplier_id = ${supplier} AND status = ${status} AND status <> 2 AND id > ${after}`,
    )
    .join(' UNION ALL ')} ORDER BY id LIMIT ?1)`;

const open = (supplier: string, after: string) => `${PAGE}
  FROM (SELECT p.id, p.external_account_number, p.account_number, p.finished_at, 1 AS is_listed
    FROM (${mergeOf([0, 1, 3], supplier, after)} UNION ALL ${mergeOf([4, 5, 6], supplier, after)} ORDER BY id LIMIT ?1) AS unfinished
    CROSS JOIN import_processes p ON p.supplier_id = ${supplier} AND p.id = unfinished.id)`;

const BUILDERS = { all: range('1'), imported: range('status = 2'), pending: open };

const OF_CALLER = `(SELECT s.id FROM suppliers s JOIN api_keys k ON k.organisation_id = s.organisation_id
  WHERE s.code = ?2 AND k.id = ?3 AND k.organisation_id = ?4 AND k.revoked_at IS NULL)`;
const AFTER_CURSOR = `iif(?5 IS NULL, 0, (SELECT c.id FROM import_processes c WHERE c.supplier_id = ${OF_CALLER} AND c.external_account_number = ?5))`;

const kinds = (supplier: string, after: string): Readonly<Record<ListKind, string>> => ({
  all: BUILDERS.all(supplier, after),
  pending: BUILDERS.pending(supplier, after),
  imported: BUILDERS.imported(supplier, after),
});
const FIRST_PAGES = kinds(OF_CALLER, AFTER_CURSOR);
const NEXT_PAGES = kinds('?2', '?3');

/**
 * Opens a list and reads its first page, at most `size` processes past the one the cursor names. No list row: the key is revoked.
 */
export function openListBatch(
  caller: Caller,
  kind: ListKind,
  supplierCode: string,
  cursor: string | undefined,
  size: number,
): readonly [Statement<ListRow>, Statement<PageRow>] {
  const { apiKeyId, organisationId } = caller;
  return [
    statement(LIST, apiKeyId, organisationId, supplierCode, cursor ?? null),
    statement(FIRST_PAGES[kind], size, supplierCode, apiKeyId, organisationId, cursor ?? null),
  ];
}

/** The next page, at most `size` processes past `afterId`. */
export const nextPage = (kind: ListKind, supplierId: number, afterId: number, size: number): Statement<PageRow> =>
  statement(NEXT_PAGES[kind], size, supplierId, afterId);
