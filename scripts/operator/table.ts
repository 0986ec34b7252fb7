type Cell = string | number | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

/** Rows for a person: one line each, columns in line, numbers to the right. All rows have the keys of the first. */
export function table(rows: readonly Row[], empty = ''): string {
  const [first] = rows;
  if (!first) return empty;
  const columns = Object.keys(first).map((name) => ({
    name,
    isNumber: rows.every((row) => typeof row[name] === 'number'),
    width: Math.max(name.length, ...rows.map((row) => shown(row[name]).length)),
  }));
  const line = (cell: (name: string) => string) =>
    columns
      .map(({ name, isNumber, width }) => (isNumber ? cell(name).padStart(width) : cell(name).padEnd(width)))
      .join('  ')
      .trimEnd();
  return [line((name) => name), ...rows.map((row) => line((name) => shown(row[name])))].join('\n');
}

const shown = (cell: Cell) => (typeof cell === 'number' ? cell.toLocaleString('en-GB') : (cell ?? '–'));
