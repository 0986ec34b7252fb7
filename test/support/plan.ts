/**
 * The plan of a query as SQLite shows it, reduced to how tables are reached, and what is sorted aside. Parameters given as arrays,
 * constants, sub-queries and merges are left out.
 */
import { readRows } from './tables';

const NOISE =
  /VIRTUAL TABLE|CONSTANT ROW|^SCAN \(subquery|^(CO-ROUTINE|MATERIALIZE|MERGE|LEFT|RIGHT|COMPOUND|UNION|LEFT-MOST|LIST|CORRELATED|SCALAR)/;

/**
 * `notes (account_id, note_key)` by primary key, `suppliers/code (code)` by the index `suppliers_code`, `SCAN suppliers`, `LAST payloads`,
 * `SORT ORDER BY`, `reads no table`; with commas. A plan does not depend on the values, so there are none.
 */
export async function planOf(sql: string): Promise<string> {
  const values = Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
  const nothing = Array.from({ length: values }, () => null);
  const results = await readRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...nothing);
  const names = aliasesOf(sql);
  const subQueries = new Set(results.map(({ detail }) => `SCAN ${/^(?:CO-ROUTINE|MATERIALIZE) (\S+)$/.exec(detail)?.[1]}`));
  const lines = results.map(({ detail }) => detail).filter((line) => !NOISE.test(line) && !subQueries.has(line));
  const accesses = lines.flatMap((line) => accessOf(line, names) ?? []);
  const sorts = lines.filter((line) => line.startsWith('USE TEMP')).map((line) => line.replace('USE TEMP B-TREE FOR', 'SORT'));
  return [...new Set([...accesses, ...sorts])].join(', ') || 'reads no table';
}

function accessOf(line: string, names: ReadonlyMap<string, string>): string | undefined {
  const match = /^(SEARCH|SCAN) (\S+)(?: EXISTS)?(?: USING (.*?))?(?: \((.*)\))?(?: LEFT-JOIN)?$/.exec(line);
  const [, kind, alias = '', using = '', bounds = ''] = match ?? [];
  const table = names.get(alias);
  if (table === undefined) return undefined;
  const index = using.replace(/^(COVERING )?INDEX |(INTEGER )?PRIMARY KEY/g, '').replace(`${table}_`, '');
  const columns = bounds.replaceAll('=?', '').replaceAll('?', '').replace('rowid', 'id').split(' AND ').filter(Boolean);
  const way = kind === 'SCAN' ? 'SCAN ' : using === '' ? 'LAST ' : '';
  return `${way}${table}${index && `/${index}`}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}`;
}

/** The table behind each name a query gives. */
function aliasesOf(sql: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = '', alias] of sql
    .replaceAll('"', '')
    .matchAll(/(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z_]+)\b)?/gi)) {
    names.set(table, table);
    if (alias) names.set(alias, table);
  }
  return new Map([...names].filter(([, table]) => table !== 'json_each'));
}
