/**
 * Suppliers with the counts of their import processes (§10), each in one trip.
 */
import { commit, type Page, type PageQuery, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { type Status, statusOf } from '../../import-processes';
import { type StoredSupplier, storedSupplierOf } from '../../suppliers';
import type { OwnedRoot } from './rules';
import { allSuppliers, documentRoots, type SupplierDetailsRow, supplierByCode, supplierPage, suppliersNamed } from './store';
import { allCounts, type CountRow, countsByCode, countsOfSuppliers } from './store-counts';

export type StatusCounts = Readonly<Record<Status, number>>;

export interface SupplierDetails extends StoredSupplier {
  /** The configuration as it is stored: JSON, unless it cannot be read. */
  readonly stored: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** Since when it is Paused; null where that was not noted, or it is not. */
  readonly pausedAt: number | null;
  /** When it last became Ongoing again; 0 for never. */
  readonly resumedAt: number;
  /** Import processes by status. */
  readonly counts: StatusCounts;
}

/** True for a supplier of which this release cannot read status or settings: its requests fail and its imports wait. */
export const isUnreadable = ({ status, configuration }: SupplierDetails): boolean => status === undefined || configuration === undefined;

/** Suppliers of one search: whoever has more in common with others types more of the name. */
const MAX_FOUND = 20;

/** The code and name of suppliers whose code or name holds the text, by code; at most 20. */
export const findSuppliers = (deps: Deps, text: string): Promise<{ code: string; name: string }[]> =>
  query(deps.db, suppliersNamed({ text, limit: MAX_FOUND }));

export async function readSupplier(deps: Deps, code: string): Promise<SupplierDetails | undefined> {
  const [[row], counts] = await commit(deps.databaseOf(code), [supplierByCode({ code }), countsByCode({ code })]);
  return row && detailsOf(row, counts);
}

/** The supplier, with the roots of all suppliers' documents. */
export async function readSupplierAndRoots(
  deps: Deps,
  code: string,
): Promise<{ readonly supplier: SupplierDetails | undefined; readonly roots: readonly OwnedRoot[] }> {
  const [[row], counts, roots] = await commit(deps.databaseOf(code), [supplierByCode({ code }), countsByCode({ code }), documentRoots({})]);
  return { supplier: row && detailsOf(row, counts), roots };
}

/** The supplier without its counts, which take a walk. */
export async function readStoredSupplier(deps: Deps, code: string): Promise<StoredSupplier | undefined> {
  const [row] = await query(deps.databaseOf(code), supplierByCode({ code }));
  return row && storedSupplierOf(row.supplier);
}

/** The supplier's id, which never leaves the service. */
export const readSupplierId = async (deps: Deps, code: string): Promise<number | undefined> => (await readStoredSupplier(deps, code))?.id;

/** All suppliers, oldest first. */
export async function readSuppliers(deps: Deps): Promise<SupplierDetails[]> {
  const [rows, counts] = await commit(deps.db, [allSuppliers({}), allCounts({})]);
  return rows.flatMap((row) => detailsOf(row, counts) ?? []);
}

/** Newest first. */
export async function listSuppliers(deps: Deps, page: PageQuery): Promise<Page<SupplierDetails>> {
  const found = await readPage(deps.db, page, {
    rows: (limit, cursor) => supplierPage({ limit, cursor: cursor ?? null }),
    named: (code) => supplierByCode({ code }),
    cursorOf: ({ supplier }) => supplier.code,
  });
  if (found.kind === 'bad_cursor') return found;
  const counts = await query(deps.db, countsOfSuppliers(found.rows.map(({ supplier }) => supplier.id)));
  return { ...found, rows: found.rows.flatMap((row) => detailsOf(row, counts) ?? []) };
}

export function detailsOf(row: SupplierDetailsRow, counts: readonly CountRow[]): SupplierDetails | undefined {
  const supplier = storedSupplierOf(row.supplier);
  if (!supplier) return undefined;
  const own = new Map(counts.filter((count) => count.supplierId === supplier.id).map((count) => [statusOf(count.status), count.count]));
  const of = (status: Status): number => own.get(status) ?? 0;
  return {
    ...supplier,
    stored: row.supplier.configuration,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    pausedAt: row.pausedAt,
    resumedAt: row.resumedAt,
    counts: {
      PENDING: of('PENDING'),
      IN_PROGRESS: of('IN_PROGRESS'),
      PROCESSED: of('PROCESSED'),
      ERRORED: of('ERRORED'),
      CANCELLED: of('CANCELLED'),
      DRY_RUN_SUCCEEDED: of('DRY_RUN_SUCCEEDED'),
      DRY_RUN_ERRORED: of('DRY_RUN_ERRORED'),
    },
  };
}
