/**
 * The statements of the lists (§4.9–4.11): pages of JSON text, each one range of an index, in the order of the process id.
 */

import {
  alias,
  and,
  apiKeys,
  db,
  eq,
  gt,
  importProcesses,
  limitOf,
  nameOf,
  prepared,
  type RowOfQuery,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { type Caller, isCallerActive } from '../../tokens';
import { supplierOfCaller } from '../cancel/store';
import { STATUS, WITHOUT_ACCOUNT } from '../machine';
import { isOpenEntry } from '../store-conditions';

export type ListKind = 'all' | 'pending' | 'imported';

interface Opened {
  readonly apiKeyId: string;
  readonly organisationId: string;
  readonly supplierCode: string;
  /** The external account number that a list begins after; null for its beginning. */
  readonly cursor: string | null;
}

/** The process that the cursor names: 0 where there is no cursor, null where it names none of the supplier's. */
function idOfCursor($: Values<Opened>, supplierId: SQL<number> | typeof suppliers.id) {
  const named = alias(importProcesses, 'named');
  const found = db
    .select({ id: named.id })
    .from(named)
    .where(and(eq(named.supplierId, supplierId), eq(named.externalAccountNumber, $.cursor)));
  return sql<number | null>`iif(${$.cursor} IS NULL, 0, ${found})`;
}

const LIST = prepared(($: Values<Opened>) =>
  db
    .select({ supplierId: suppliers.id, afterId: idOfCursor($, suppliers.id) })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.supplierCode), eq(suppliers.organisationId, apiKeys.organisationId)))
    .where(isCallerActive($)),
);

/** What a page is of: at most `size` processes of the supplier, past `afterId`. */
interface Range {
  readonly supplierId: SQL<number>;
  readonly afterId: SQL<number | null>;
  readonly size: SQL<number>;
}

const LISTED = {
  id: importProcesses.id,
  externalAccountNumber: importProcesses.externalAccountNumber,
  accountNumber: importProcesses.accountNumber,
  finishedAt: importProcesses.finishedAt,
};

// One range of the table, of which only the imported are listed if only they are asked for: bounded, however few it lists.
const rangeOf = ({ supplierId, afterId, size }: Range, isListed: SQL) =>
  db
    .select({ ...LISTED, isListed: isListed.as('is_listed') })
    .from(importProcesses)
    .where(and(eq(importProcesses.supplierId, supplierId), gt(importProcesses.id, afterId)))
    .orderBy(importProcesses.id)
    .limit(limitOf(size))
    .as('looked');

/** The first ids of the processes in these statuses: an ordered range of the index for each of them. */
function mergeOf(statuses: readonly number[], { supplierId, afterId, size }: Range) {
  const ranges = statuses.map((status) =>
    db
      .select({ id: importProcesses.id })
      .from(importProcesses)
      .where(and(isOpenEntry(importProcesses, supplierId, status), gt(importProcesses.id, afterId)))
      .getSQL(),
  );
  const id = nameOf(importProcesses.id);
  return sql`SELECT ${id} FROM (${sql.join(ranges, sql` UNION ALL `)} ORDER BY ${id} LIMIT ${size})`;
}

// The open index holds what has no account, in order of id within each status. Six ordered ranges are merged, three and three:
// D1 takes five terms at most.
function openOf(range: Range) {
  const [first, second] = [WITHOUT_ACCOUNT.slice(0, 3), WITHOUT_ACCOUNT.slice(3)].map((statuses) => mergeOf(statuses, range));
  const id = nameOf(importProcesses.id);
  const unfinished = sql.identifier('unfinished');
  return db
    .select({ ...LISTED, isListed: sql`1`.as('is_listed') })
    .from(sql`(${first} UNION ALL ${second} ORDER BY ${id} LIMIT ${range.size}) AS ${unfinished}`)
    .crossJoin(importProcesses)
    .where(and(eq(importProcesses.supplierId, range.supplierId), eq(importProcesses.id, sql`${unfinished}.${id}`)))
    .as('looked');
}

const LOOKS = {
  all: (range: Range) => rangeOf(range, sql`1`),
  imported: (range: Range) => rangeOf(range, eq(importProcesses.status, STATUS.PROCESSED)),
  pending: openOf,
} as const;

/** One page: `items` is a JSON array as text; `lastId` the last process looked at, whether listed or not, null past the end. */
function pageOf(kind: ListKind, range: Range) {
  const looked = LOOKS[kind](range);
  const createdAt = sql`strftime('%Y-%m-%dT%H:%M:%fZ', iif(${looked.accountNumber} IS NULL, NULL, ${looked.finishedAt}) / 1000.0, 'unixepoch')`;
  const item = sql`json_object('external_account_number', ${looked.externalAccountNumber}, 'platform_account_number', ${looked.accountNumber},
    'account_created_at', ${createdAt})`;
  return db
    .select({
      items: sql<string>`coalesce(json_group_array(${item}) FILTER (WHERE ${looked.isListed}), '[]')`,
      count: sql<number>`count(*) FILTER (WHERE ${looked.isListed})`,
      lastId: sql<number | null>`max(${looked.id})`,
    })
    .from(looked);
}

const firstPage = (kind: ListKind) =>
  prepared(($: Values<Opened & { size: number }>) => {
    const supplierId = supplierOfCaller($);
    return pageOf(kind, { supplierId, afterId: idOfCursor($, supplierId), size: $.size });
  });
const FIRST_PAGES = { all: firstPage('all'), pending: firstPage('pending'), imported: firstPage('imported') };

const laterPage = (kind: ListKind) => prepared(($: Values<{ supplierId: number; afterId: number; size: number }>) => pageOf(kind, $));
const LATER_PAGES = { all: laterPage('all'), pending: laterPage('pending'), imported: laterPage('imported') };

export type PageRow = RowOfQuery<ReturnType<typeof FIRST_PAGES.all>>;

/**
 * Opens a list and reads its first page, at most `size` processes past the one the cursor names. No list row: the key is revoked.
 */
export function openListBatch(
  { apiKeyId, organisationId }: Caller,
  kind: ListKind,
  supplierCode: string,
  cursor: string | undefined,
  size: number,
) {
  const given = { apiKeyId, organisationId, supplierCode, cursor: cursor ?? null };
  return [LIST(given), FIRST_PAGES[kind]({ ...given, size })] as const;
}

/** The next page, at most `size` processes past `afterId`. */
export const nextPage = (kind: ListKind, supplierId: number, afterId: number, size: number) =>
  LATER_PAGES[kind]({ supplierId, afterId, size });
