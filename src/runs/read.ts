/**
 * Finds runs: for their importer by its key, for an operator by the supplier's code.
 */
import { commit, type Page, type PageQuery, query, readPage } from '../db';
import type { Deps } from '../deps';
import { type Status, statusOf } from '../import-processes';
import type { StoredSupplier } from '../suppliers';
import { storedSupplierOf } from '../suppliers';
import type { Caller } from '../tokens';
import { newestRuns, type RunRow, runNamed, runOfCaller, runOfSupplier, runsAfter, supplierByCode, supplierOfRuns } from './store';
import { errorsOfRun, type RunErrorRow } from './store-errors';
import { statusPage } from './store-totals';

/** An operator, by the name that the audit trail shows. */
export interface Operating {
  readonly actor: string;
}

/** Who asks: an importer, whose supplier it must be, or an operator. */
export type Asker = Caller | Operating;

export const isOperating = (asker: Asker): asker is Operating => 'actor' in asker;

/** A run by its names. */
export interface RunPath {
  readonly code: string;
  readonly name: string;
}

export type Missing = { readonly kind: 'unauthenticated' } | { readonly kind: 'not_found' };

export interface FoundRun {
  readonly kind: 'found';
  readonly supplier: StoredSupplier;
  readonly run: RunRow;
}

/** The supplier, and its run if there is one. */
export async function findSupplierAndRun(
  deps: Deps,
  asker: Asker,
  path: RunPath,
): Promise<Missing | (Omit<FoundRun, 'run'> & { readonly run: RunRow | null })> {
  const db = deps.databaseOf(path.code);
  const rows = isOperating(asker)
    ? await query(db, runOfSupplier({ ...path }))
    : await query(db, runOfCaller({ ...path, apiKeyId: asker.apiKeyId, organisationId: asker.organisationId }));
  const [row] = rows;
  if (!row) return { kind: isOperating(asker) ? 'not_found' : 'unauthenticated' };
  const supplier = storedSupplierOf(row.supplier);
  return supplier ? { kind: 'found', supplier, run: row.run } : { kind: 'not_found' };
}

export async function findRun(deps: Deps, asker: Asker, path: RunPath): Promise<Missing | FoundRun> {
  const found = await findSupplierAndRun(deps, asker, path);
  if (found.kind !== 'found') return found;
  const { run, ...rest } = found;
  return run ? { ...rest, run } : { kind: 'not_found' };
}

export type RunList =
  | Missing
  /** `cursor`: the name after which the next page begins; undefined on the last. */
  | { readonly kind: 'page'; readonly runs: readonly RunRow[]; readonly cursor: string | undefined };

/** A page of a supplier's runs by their names. */
export async function listRuns(deps: Deps, asker: Asker, code: string, limit: number, after = ''): Promise<RunList> {
  const supplierOf = isOperating(asker)
    ? supplierByCode({ code })
    : supplierOfRuns({ apiKeyId: asker.apiKeyId, organisationId: asker.organisationId, code });
  const [[supplier], found] = await commit(deps.databaseOf(code), [supplierOf, runsAfter({ code, after, limit: limit + 1 })]);
  if (!supplier) return { kind: isOperating(asker) ? 'not_found' : 'unauthenticated' };
  if (supplier.supplierId === null) return { kind: 'not_found' };
  const runs = found.slice(0, limit);
  return { kind: 'page', runs, cursor: found.length > limit ? runs.at(-1)?.name : undefined };
}

/** A page of a supplier's runs for an operator, newest first; undefined if there is no such supplier. */
export async function listRunsOfSupplier(deps: Deps, code: string, page: PageQuery): Promise<Page<RunRow> | undefined> {
  const db = deps.databaseOf(code);
  const [supplier] = await query(db, supplierByCode({ code }));
  if (!supplier) return undefined;
  return readPage(db, page, {
    rows: (limit, cursor) => newestRuns({ code, limit, cursor: cursor ?? null }),
    named: (name) => runNamed({ code, name }),
    cursorOf: ({ name }) => name,
  });
}

/** Processes of one page where rows are only counted. */
const COUNT_PAGE = 50_000;

/** How many processes of a run have each status, in pages of its key. */
export async function countRun(deps: Deps, { supplier, run }: Omit<FoundRun, 'kind'>): Promise<Map<Status, number>> {
  const counts = new Map<Status, number>();
  for await (const rows of pagesOf(run, COUNT_PAGE, async (page) => {
    const found = await query(deps.databaseOf(supplier.code), statusPage(page));
    const looked = found.reduce((sum, { count }) => sum + count, 0);
    return { rows: found, looked, lastId: Math.max(...found.map(({ lastId }) => lastId)) };
  })) {
    for (const { status, count } of rows) counts.set(statusOf(status), (counts.get(statusOf(status)) ?? 0) + count);
  }
  return counts;
}

/** What of a run errored, by code and place, most first. */
export const errorsIn = (deps: Deps, { supplier, run }: Omit<FoundRun, 'kind'>): Promise<RunErrorRow[]> =>
  query(deps.databaseOf(supplier.code), errorsOfRun({ id: run.id }));

/** What a page of a run is: {@link Page} of its statements. */
export interface PageKey {
  readonly supplierId: number;
  readonly runId: number;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** A page that was read, how many processes it looked at, and the last of them. */
interface ReadPage<Row> {
  readonly rows: readonly Row[];
  readonly looked: number;
  readonly lastId: number | null | undefined;
}

/** The pages of a run along its key, `limit` of its processes each. */
export async function* pagesOf<Row>(
  run: RunRow,
  limit: number,
  read: (page: PageKey) => Promise<ReadPage<Row>>,
): AsyncGenerator<readonly Row[], void> {
  if (run.firstId === null || run.lastId === null) return;
  let after = run.firstId - 1;
  for (;;) {
    const { rows, looked, lastId } = await read({ supplierId: run.supplierId, runId: run.id, after, upTo: run.lastId, limit });
    if (rows.length > 0) yield rows;
    if (looked < limit || lastId === null || lastId === undefined) return;
    after = lastId;
  }
}
