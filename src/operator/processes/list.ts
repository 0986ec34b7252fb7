import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import { readSupplierId } from '../suppliers/read';
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

/** Searches the import processes of a supplier: newest first, or by a prefix of the external account number in its order. */
export async function listProcesses(deps: Deps, supplierCode: string, filter: ProcessFilter, limit: number): Promise<ProcessList> {
  const db = deps.databaseOf(supplierCode);
  const supplierId = await readSupplierId(deps, supplierCode);
  if (supplierId === undefined) return { kind: 'not_found' };
  const page = processPage(supplierId, filter, limit + 1);
  if (filter.cursor === undefined) return pageOf(await query(db, page), limit);
  const [[last], rows] = await commit(db, [processByNumber(supplierCode, filter.cursor), page]);
  return last ? pageOf(rows, limit) : { kind: 'bad_cursor' };
}

function pageOf(rows: readonly ListedRow[], limit: number): ProcessList {
  const processes = rows.slice(0, limit);
  return { kind: 'found', processes, cursor: rows.length > limit ? processes.at(-1)?.external_account_number : undefined };
}
