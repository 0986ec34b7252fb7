/** The columns of a sheet: what its header says they are. */
import { UsageError } from '../exit';
import { accountLists, type Field, fieldAt, fieldsOf } from '../fields';
import type { Finding } from '../guard/finding';
import { meant } from '../guard/likeness';
import { type Column, letterOf } from './cell';
import type { Mapping } from './mapping';
import { pathsOf } from './template';

/** What a failed row says of itself beside its cells; the next import ignores it. */
export const OWN_COLUMNS = ['_row', '_column', '_code', '_advice'];

export interface Columns {
  /** Those that are sent. */
  readonly sent: readonly Column[];
  /** Positions of all that were the importer's. */
  readonly theirs: readonly number[];
  readonly headers: readonly string[];
  readonly findings: readonly Finding[];
}

/** The pair that names an account, in every sheet. */
export const PAIR = ['import_supplier', 'external_account_number'];

/** `sheet` is `accounts` or the list whose items its rows are. Throws {@link UsageError} where a header cannot be sent at all. */
export function columnsOf(name: string, sheet: string, headers: readonly string[], mapping: Mapping): Columns {
  const root = rootOf(sheet);
  const mapped = mapping.get(sheet) ?? new Map<string, string | null>();
  const sent: Column[] = [];
  const [alike, unlike]: [Finding[], Finding[]] = [[], []];
  const theirs = headers.flatMap((header, index) => (OWN_COLUMNS.includes(header.trim()) ? [] : [index]));
  for (const index of theirs) {
    const header = (headers[index] ?? '').trim();
    const path = mapped.has(header) ? mapped.get(header) : header;
    if (path == null || path === '') continue;
    const field = sheet !== 'accounts' && PAIR.includes(path) ? TEXT : fieldAt(root, path);
    if (field && field.shape !== 'value') throw new UsageError(wholeOf(name, header, path, field));
    if (!field) {
      const known = alikeOf(sheet, path);
      const question = known === undefined ? 'name its field in a --mapping' : `did you mean "${known}"?`;
      const text = `Column ${letterOf(index)} of ${name}, "${header}", is not a field: ${question}`;
      (known === undefined ? unlike : alike).push({ text, stop: 'unknown-fields' });
    }
    sent.push({ index, header, path: path.split('.'), field });
  }
  checkPaths(name, sent);
  for (const header of mapped.keys())
    if (!headers.some((one) => one.trim() === header)) throw new UsageError(`${name} has no column "${header}", which the mapping names.`);
  return { sent, theirs, headers, findings: [...alike, ...unlike] };
}

const TEXT: Field = { shape: 'value', kind: 'text' };

function rootOf(sheet: string): Field {
  const accounts = fieldsOf('accounts');
  const list = accountLists().includes(sheet) ? accounts.fields.get(sheet) : undefined;
  return list?.shape === 'list' ? list.item : accounts;
}

function wholeOf(name: string, header: string, path: string, field: Field): string {
  const example = pathsOf(field, `${path}.`)[0] ?? `${path}.0`;
  return `Column "${header}" of ${name} cannot hold all of ${path}: give each of its fields a column, as in ${example}.`;
}

/** The path that an unknown one may have meant: one spelt like it, or whose last step is. */
function alikeOf(sheet: string, path: string): string | undefined {
  const paths = [...PAIR, ...pathsOf(rootOf(sheet))];
  return meant(path, paths) ?? paths.find((known) => meant(path, [known.split('.').at(-1) ?? '']) !== undefined);
}

/** No field may be two columns, nor hold another column's field. */
function checkPaths(name: string, columns: readonly Column[]): void {
  const byPath = new Map<string, Column>();
  for (const column of columns) {
    const path = column.path.join('.');
    if (!byPath.has(path)) byPath.set(path, column);
  }
  for (const { index, header, path } of columns) {
    for (let length = 1; length <= path.length; length++) {
      const other = byPath.get(path.slice(0, length).join('.'));
      if (other && other.index !== index)
        throw new UsageError(`Columns "${other.header}" and "${header}" of ${name} are one field, ${other.path.join('.')}: leave one out.`);
    }
  }
}
