/** `template SHEET`: the header of a sheet that can be imported as it is. */
import { UsageError } from '../exit';
import { accountLists, type Field, fieldsOf } from '../fields';
import { csvLine } from './text';

/** What most accounts have once is a column of the sheet of accounts itself. */
const BESIDE_ACCOUNT = 'customers';

export const sheetNames = (): string[] => ['accounts', ...accountLists()];

/** The header line. Throws {@link UsageError} for a name that is no sheet. */
export function templateOf(sheet: string): string {
  const { fields } = fieldsOf('accounts');
  if (sheet !== 'accounts') {
    const list = sheetNames().includes(sheet) ? fields.get(sheet) : undefined;
    if (list?.shape !== 'list') throw new UsageError(`There is no template "${sheet}": choose ${sheetNames().join(', ')}.`);
    return csvLine(['external_account_number', ...pathsOf(list.item)]);
  }
  return csvLine([...fields].flatMap(([name, field]) => (field.shape === 'list' && name !== BESIDE_ACCOUNT ? [] : pathsOf(field, name))));
}

/** The paths of all values in a field, of lists those of their first item. */
export function pathsOf(field: Field, prefix = ''): string[] {
  const at = (name: string) => (prefix === '' || prefix.endsWith('.') ? `${prefix}${name}` : `${prefix}.${name}`);
  switch (field.shape) {
    case 'value':
      return [prefix];
    case 'list':
      return pathsOf(field.item, at('0'));
    case 'object':
      return [...field.fields].flatMap(([name, part]) => pathsOf(part, at(name)));
  }
}
