import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import { statusOf } from '../../import-processes';
import { readSupplierId } from '../suppliers/read';
import { findAccount } from './find';
import { type ListedRow, type ProcessFilter, processByNumber, processPage } from './store';

export type ProcessList =
  | {
      readonly kind: 'found';
      readonly processes: readonly ListedRow[];
      /** Where the next page goes on; undefined on the last. */
      readonly cursor: string | undefined;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'bad_cursor' };

/**
 * Searches the import processes of a supplier: newest first, by a prefix of the external account number in its order, or the one
 * that has an account number.
 */
export async function listProcesses(deps: Deps, supplierCode: string, filter: ProcessFilter, limit: number): Promise<ProcessList> {
  const db = deps.databaseOf(supplierCode);
  const supplierId = await readSupplierId(deps, supplierCode);
  if (supplierId === undefined) return { kind: 'not_found' };
  if (filter.accountNumber !== undefined)
    return { kind: 'found', processes: await ofAccount(deps, supplierCode, filter), cursor: undefined };
  const page = processPage(supplierId, filter, limit + 1);
  if (filter.cursor === undefined) return pageOf(await query(db, page), limit);
  const [[last], rows] = await commit(db, [processByNumber(supplierCode, filter.cursor), page]);
  return last ? pageOf(rows, limit) : { kind: 'bad_cursor' };
}

function pageOf(rows: readonly ListedRow[], limit: number): ProcessList {
  const processes = rows.slice(0, limit);
  return { kind: 'found', processes, cursor: rows.length > limit ? processes.at(-1)?.external_account_number : undefined };
}

/** The one process with that account number, if it is of the supplier and all that is asked for. */
async function ofAccount(deps: Deps, supplierCode: string, filter: ProcessFilter): Promise<ListedRow[]> {
  const found = filter.accountNumber === undefined ? undefined : await findAccount(deps, filter.accountNumber);
  if (!found || found.supplier_code !== supplierCode) return [];
  const isMeant =
    (filter.status === undefined || filter.status === statusOf(found.status)) &&
    found.external_account_number.startsWith(filter.prefix ?? '') &&
    filter.errorCode === undefined &&
    filter.cursor === undefined;
  return isMeant ? [found] : [];
}
