/**
 * The failed records, each exactly as it was sent with its errors beside it under `_errors`: to be put right and sent again.
 * What is no JSON object is written as text under `_line`.
 */
import { isSayable } from '../../../shared/as-sent';
import { parseExactly } from '../../../shared/literals';
import type { ErrorItem } from '../../client';

const ERRORS = '_errors';
const LINE = '_line';

/** A record of a failed file, as one line. */
export function withErrors(record: string, errors: readonly ErrorItem[]): string {
  const member = `${JSON.stringify(ERRORS)}:${JSON.stringify(errors)}`;
  const value = objectOf(record);
  if (!value) return `{${JSON.stringify(LINE)}:${JSON.stringify(record)},${member}}`;
  const open = record
    .replace(/[\r\n]+/g, ' ')
    .trimEnd()
    .slice(0, -1);
  return `${open}${Object.keys(value).length === 0 ? '' : ','}${member}}`;
}

/** The record as it is to be sent: without the errors that an earlier run put beside it. */
export function withoutErrors(record: string): string {
  if (!record.includes(`"${ERRORS}"`)) return record;
  const at = record.lastIndexOf(`,"${ERRORS}":`);
  // As this program wrote it: taken off again without touching a byte of the rest.
  if (at > 0 && objectOf(`{${record.slice(at + 1)}`)) {
    const bare = `${record.slice(0, at)}}`;
    const value = objectOf(bare);
    if (value) return lineOf(value) ?? bare;
  }
  const value = objectOf(record);
  if (!value || !Object.hasOwn(value, ERRORS)) return record;
  const { [ERRORS]: _, ...others } = value;
  // Written anew its numbers would be rounded. Sent as it is, the service names them.
  return lineOf(others) ?? (isSayable(parseExactly(record)) ? JSON.stringify(others) : record);
}

const lineOf = (value: Record<string, unknown>): string | undefined => {
  const line = value[LINE];
  return Object.keys(value).length === 1 && typeof line === 'string' ? line : undefined;
};

/** The JSON object that a text is; undefined for everything else. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
