/**
 * What a failed trip to D1 says of itself. D1 has no codes of its own, so its texts are read
 * (https://developers.cloudflare.com/d1/observability/debug-d1/).
 */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** True for what SQLite itself refused (constraint, raised error, bad statement): repeating it cannot help. */
export const isErrorOfSql = (error: unknown): boolean => /SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE|AUTH)/.test(messageOf(error));

/** True where the database answers but takes no writes, because it is full or read-only: only the operator can change that. */
export const isRefusedWrite = (error: unknown): boolean =>
  /exceeded maximum (?:DB size|account storage)|maximum account storage limit|SQLITE_(?:FULL|READONLY)/i.test(messageOf(error));
