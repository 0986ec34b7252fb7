import { type Page, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { statusOf } from '../../import-processes';
import { readSupplierId } from '../suppliers/read';
import { findAccount } from './find';
import { type ListedRow, type ProcessFilter, processCount, processNamed, processPage } from './store-pages';

/**
 * Searches the import processes of a supplier: newest first, by a prefix of the external account number in its order, or the one
 * that has an account number.
 */
export async function listProcesses(
  deps: Deps,
  supplierCode: string,
  filter: ProcessFilter,
  limit: number,
): Promise<Page<ListedRow> | { readonly kind: 'not_found' }> {
  const db = deps.databaseOf(supplierCode);
  const supplierId = await readSupplierId(deps, supplierCode);
  if (supplierId === undefined) return { kind: 'not_found' };
  const { accountNumber, cursor } = filter;
  if (accountNumber !== undefined) {
    const isBad = cursor !== undefined && (await query(db, processNamed({ supplierId, externalAccountNumber: cursor }))).length === 0;
    return isBad
      ? { kind: 'bad_cursor' }
      : { kind: 'page', rows: await ofAccount(deps, supplierCode, filter, accountNumber), cursor: undefined };
  }
  return readPage(
    db,
    { limit, cursor },
    {
      rows: (count) => processPage(supplierId, filter, count),
      named: (externalAccountNumber) => processNamed({ supplierId, externalAccountNumber }),
      cursorOf: ({ externalAccountNumber }) => externalAccountNumber,
    },
  );
}

/** The one process with that account number, if it is of the supplier and all that is asked for. */
async function ofAccount(deps: Deps, supplierCode: string, filter: ProcessFilter, accountNumber: string): Promise<ListedRow[]> {
  const found = await findAccount(deps, accountNumber);
  if (!found || found.supplierCode !== supplierCode) return [];
  const isMeant =
    (filter.status === undefined || filter.status === statusOf(found.status)) &&
    found.externalAccountNumber.startsWith(filter.prefix ?? '') &&
    filter.errorCode === undefined &&
    filter.field === undefined &&
    filter.cursor === undefined;
  return isMeant ? [found] : [];
}

/** A total is counted up to here. */
const MAX_COUNTED = 10_000;

export interface Total {
  readonly count: number;
  /** True where there are more than `count`. */
  readonly isMore: boolean;
}

/** How many processes of the supplier the filter finds, whatever its page and account number. */
export async function countProcesses(deps: Deps, supplierId: number, code: string, filter: ProcessFilter): Promise<Total> {
  const [row] = await query(deps.databaseOf(code), processCount(supplierId, filter, MAX_COUNTED + 1));
  const found = row?.count ?? 0;
  return { count: Math.min(found, MAX_COUNTED), isMore: found > MAX_COUNTED };
}
