import { type Page, type PageQuery, readPage } from '../../db';
import type { Deps } from '../../deps';
import { accountNumberIn, findAccount } from './find';
import type { FoundRow } from './store';
import { searchNamed, searchPage } from './store-search';

/** What is searched for: an external account number's beginning, a platform account number in any case, or a platform identifier. */
export async function searchAccounts(deps: Deps, text: string, page: PageQuery): Promise<Page<FoundRow>> {
  const accountNumber = page.cursor === undefined ? accountNumberIn(text.toUpperCase()) : undefined;
  const [found, list] = await Promise.all([
    accountNumber === undefined ? undefined : findAccount(deps, accountNumber),
    readPage<FoundRow>(deps.db, page, {
      rows: (limit, cursor) => {
        const [afterCode, afterNumber] = pairIn(cursor);
        return searchPage({ prefix: text, end: `${text}\u{10FFFF}`, afterCode, afterNumber, limit });
      },
      named: (cursor) => {
        const [code, externalAccountNumber] = pairIn(cursor);
        return searchNamed({ code, externalAccountNumber });
      },
      cursorOf: ({ supplierCode, externalAccountNumber }) => `${supplierCode}/${externalAccountNumber}`,
    }),
  ]);
  if (list.kind === 'bad_cursor' || !found) return list;
  const isFound = (row: FoundRow) => row.supplierCode === found.supplierCode && row.externalAccountNumber === found.externalAccountNumber;
  return { ...list, rows: [found, ...list.rows.filter((row) => !isFound(row))] };
}

/** A supplier's code holds no `/`. */
function pairIn(cursor = '/'): readonly [code: string, externalAccountNumber: string] {
  const slash = cursor.indexOf('/');
  return slash < 0 ? ['', ''] : [cursor.slice(0, slash), cursor.slice(slash + 1)];
}
