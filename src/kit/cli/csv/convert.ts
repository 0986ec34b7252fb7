/** Rows as the accounts they say. */

import type { Column } from './cell';
import { PAIR } from './columns';
import type { Forms } from './forms';
import type { RowsByAccount } from './rows-by-account';
import { cellOf, type Sheet } from './sheet';
import type { Row } from './text';
import { Branch } from './tree';
import { jsonOfCell } from './value';

/** Where a value of an account is from. */
export interface Origin {
  readonly sheet: Sheet;
  readonly row: Row;
  readonly column: Column;
}

export interface JoinedSheet {
  readonly sheet: Sheet;
  readonly rows: RowsByAccount;
}

export interface Conversion {
  readonly accounts: Sheet;
  readonly joined: readonly JoinedSheet[];
  readonly forms: Forms;
  /** Of the rows that name none. */
  readonly supplier: string | undefined;
}

/** Items of other sheets come after those in the row of the account itself. */
const FIRST_JOINED = 10_000;

export function accountOfRow(conversion: Conversion, row: Row): Branch<Origin> {
  const { accounts, joined, forms, supplier } = conversion;
  const account = new Branch<Origin>();
  if (supplier !== undefined && cellOf(row, accounts.supplier) === '')
    account.set(['import_supplier'], { json: JSON.stringify(supplier), origin: { sheet: accounts, row, column: accounts.number } });
  put(account, accounts, row, [], forms);
  for (const { sheet, rows } of joined) {
    rows.rowsOf(supplierOfRow(conversion, row), cellOf(row, accounts.number)).forEach((item, position) => {
      put(account, sheet, item, [sheet.of, `${FIRST_JOINED + position}`], forms);
    });
  }
  return account;
}

export const supplierOfRow = ({ accounts, supplier }: Pick<Conversion, 'accounts' | 'supplier'>, row: Row): string =>
  cellOf(row, accounts.supplier) || (supplier ?? '');

/** An empty cell is not given. The pair names the account; spaces around it are no part of it. */
function put(account: Branch<Origin>, sheet: Sheet, row: Row, at: readonly string[], forms: Forms): void {
  for (const column of sheet.sent) {
    const text = row.cells[column.index] ?? '';
    const isPair = PAIR.includes(column.path.join('.'));
    if (text.trim() === '' || (isPair && at.length > 0)) continue;
    const kind = column.field?.shape === 'value' ? column.field.kind : 'text';
    account.set([...at, ...column.path], { json: jsonOfCell(isPair ? text.trim() : text, kind, forms), origin: { sheet, row, column } });
  }
}
