/**
 * From what the platform calls an account to its import process, whichever supplier it is of.
 */
import { query } from '../../db';
import type { Deps } from '../../deps';
import { accountNumberOfIdentifier, isAccountNumber, processIdOf } from '../../import-processes';
import { type FoundRow, numberKey, processOfAccount } from './store';

/** The account number that a person may mean: the number itself, or the platform identifier in decimal. */
export const accountNumberIn = (text: string): string | undefined => (isAccountNumber(text) ? text : accountNumberOfIdentifier(text));

/** The import process of the account with this number, in two trips: the number is turned back into the id. */
export async function findAccount(deps: Deps, accountNumber: string): Promise<FoundRow | undefined> {
  const [key] = await query(deps.db, numberKey({}));
  const [row] = key ? await query(deps.db, processOfAccount({ id: processIdOf(accountNumber, key.value), accountNumber })) : [];
  return row;
}
