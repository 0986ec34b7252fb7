/** What commands that take CSV can be asked. */
import type { ArgsDef } from 'citty';
import { type Args, textOf } from '../command';
import { UsageError } from '../exit';
import { accountLists } from '../fields';
import type { CsvOptions } from './source';

const nameOf = (list: string): string => list.replaceAll('_', '-');

/** One option for each list of an account, so that its items can come as a sheet. */
export const csvArgs = (): ArgsDef => ({
  encoding: { type: 'string', description: 'Of a file that is neither UTF-8 nor UTF-16', valueHint: 'windows-1252' },
  mapping: { type: 'string', description: 'CSV: JSON file that says which field a column is', valueHint: 'map.json' },
  supplier: { type: 'string', description: 'CSV: the supplier of rows that name none', valueHint: 'CODE' },
  dates: { type: 'string', description: 'CSV: the order of dates', valueHint: 'dd/mm/yyyy or mm/dd/yyyy' },
  decimal: { type: 'string', description: 'CSV: the decimal sign', valueHint: ', or .' },
  ...Object.fromEntries(
    accountLists().map((list) => [
      nameOf(list),
      { type: 'string', description: `CSV: sheet of ${list.replaceAll('_', ' ')}`, valueHint: 'FILE' } as const,
    ]),
  ),
});

export function csvOptionsOf(args: Args): CsvOptions {
  const sheets = accountLists().flatMap((list): [string, string][] => {
    const file = textOf(args[nameOf(list)]);
    return file === undefined ? [] : [[list, file]];
  });
  return {
    encoding: textOf(args['encoding']),
    mapping: textOf(args['mapping']),
    supplier: textOf(args['supplier']),
    dates: oneOf('dates', args['dates'], ['dd/mm/yyyy', 'mm/dd/yyyy'] as const),
    decimal: oneOf('decimal', args['decimal'], [',', '.'] as const),
    sheets: new Map(sheets),
  };
}

function oneOf<T extends string>(name: string, value: unknown, choices: readonly T[]): T | undefined {
  const text = textOf(value);
  const chosen = choices.find((choice) => choice === text);
  if (text !== undefined && chosen === undefined) throw new UsageError(`--${name} takes ${choices.join(' or ')}, not "${text}".`);
  return chosen;
}
