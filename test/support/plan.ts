/**
 * The plan of a statement as SQLite shows it, reduced to how tables are reached: `SEARCH` by which index and columns, `SCAN`, and
 * what is sorted aside. Parameters given as arrays, constants, sub-queries and merges are left out.
 */
import type { Query } from '../../src/db';
import { readRows } from './tables';

const NOISE =
  /VIRTUAL TABLE|CONSTANT ROW|^SCAN \(subquery|^(CO-ROUTINE|MATERIALIZE|MERGE|LEFT|RIGHT|COMPOUND|UNION|LEFT-MOST|LIST|CORRELATED|SCALAR)/;

/** Tables that no import makes larger. */
const SMALL =
  /^(suppliers|webhooks|webhook_cursors|webhook_walk|organisations|service_keys|d1_migrations|heartbeats|restores|operator_tokens|alerts|alert_addresses|alert_deliveries)$/;

/** A table as the statement reaches it. */
export interface Access {
  readonly kind: 'SEARCH' | 'SCAN';
  readonly table: string;
  /** Empty for the primary key, or where there is none. */
  readonly index: string;
  readonly columns: readonly string[];
  /** `notes (account_id, note_key)` by primary key, `suppliers_code (code)` by index, `SCAN suppliers`, `last of payloads`. */
  readonly text: string;
}

export interface Plan {
  readonly accesses: readonly Access[];
  readonly sorts: readonly string[];
}

export async function planOf({ sql, params }: Query): Promise<Plan> {
  const results = await readRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params);
  const names = aliasesOf(sql);
  const subQueries = new Set(results.map(({ detail }) => `SCAN ${/^(?:CO-ROUTINE|MATERIALIZE) (\S+)$/.exec(detail)?.[1]}`));
  const lines = [...new Set(results.map(({ detail }) => detail).filter((line) => !NOISE.test(line) && !subQueries.has(line)))];
  const accesses = new Map<string, Access>();
  for (const line of lines) {
    const access = accessOf(line, names);
    if (access) accesses.set(access.text, access);
  }
  return {
    accesses: [...accesses.values()],
    sorts: lines.filter((line) => line.startsWith('USE TEMP')).map((line) => line.replace('USE TEMP B-TREE FOR', 'SORT')),
  };
}

export const isSmall = ({ table }: Access): boolean => SMALL.test(table);

function accessOf(line: string, names: ReadonlyMap<string, string>): Access | undefined {
  const match = /^(SEARCH|SCAN) (\S+)(?: EXISTS)?(?: USING (.*?))?(?: \((.*)\))?(?: LEFT-JOIN)?$/.exec(line);
  const [, kind, alias = '', using = '', bounds = ''] = match ?? [];
  const table = names.get(alias);
  if (table === undefined || (kind !== 'SEARCH' && kind !== 'SCAN')) return undefined;
  const index = using.replace(/^(COVERING )?INDEX |(INTEGER )?PRIMARY KEY/g, '');
  const columns = bounds.replaceAll('=?', '').replaceAll('?', '').replace('rowid', 'id').split(' AND ').filter(Boolean);
  const way = kind === 'SCAN' ? 'SCAN ' : using === '' ? 'last of ' : '';
  return { kind, table, index, columns, text: `${way}${index || table}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}` };
}

/** The table behind each name a statement gives. */
function aliasesOf(sql: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = '', alias] of sql
    .replaceAll('"', '')
    .matchAll(/(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z_]+)\b)?/gi)) {
    names.set(table, table);
    if (alias) names.set(alias, table);
  }
  names.delete('json_each');
  return new Map([...names].filter(([, table]) => table !== 'json_each'));
}
