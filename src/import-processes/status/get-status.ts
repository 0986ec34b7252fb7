import { query } from '../../db';
import type { Deps } from '../../deps';
import type { Caller } from '../../tokens';
import { type ProcessRow, readProcess } from './store';

export type FoundProcess =
  | { readonly kind: 'found'; readonly process: ProcessRow }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unauthenticated' };

/** Reads one import process (§4.7) in one trip. */
export async function getProcess(deps: Deps, caller: Caller, supplierCode: string, externalAccountNumber: string): Promise<FoundProcess> {
  const [row] = await query(deps.databaseOf(supplierCode), readProcess(caller, supplierCode, externalAccountNumber));
  if (!row) return { kind: 'unauthenticated' };
  return row.process ? { kind: 'found', process: row.process } : { kind: 'not_found' };
}
