/** Rows for a person: one line each, columns in line, numbers to the right. All rows have the keys of the first. */
export function table(rows, empty) {
  if (rows.length === 0) return empty;
  const columns = Object.keys(rows[0]).map((name) => ({
    name,
    isNumber: rows.every((row) => typeof row[name] === 'number'),
    width: Math.max(name.length, ...rows.map((row) => shown(row[name]).length)),
  }));
  const line = (cell) =>
    columns
      .map(({ name, isNumber, width }) => (isNumber ? cell(name).padStart(width) : cell(name).padEnd(width)))
      .join('  ')
      .trimEnd();
  return [line((name) => name), ...rows.map((row) => line((name) => shown(row[name])))].join('\n');
}

const shown = (cell) => (typeof cell === 'number' ? cell.toLocaleString('en-GB') : (cell ?? '–'));
