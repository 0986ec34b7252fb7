/**
 * The text of `wrangler.toml`. Pure.
 */

/** Puts the id of a database after its name; throws where the text does not have both, one after the other. */
export function withDatabaseId(text: string, name: string, id: string): string {
  const lines = text.split('\n');
  const next = lines.findIndex((line) => line.trim() === `database_name = "${name}"`) + 1;
  if (next === 0 || !/^database_id = "/.test(lines[next] ?? ''))
    throw new Error(`wrangler.toml has no database_id below database_name = "${name}": put in ${id}`);
  return lines.with(next, `database_id = "${id}"`).join('\n');
}
