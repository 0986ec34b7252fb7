/**
 * Platform account numbers: `A-` and 8 hex digits that look random and are unique by construction, because a Feistel network
 * is a permutation of the 32-bit ids it is given. Pure.
 */

const ROUNDS = 6;

/** The account number of a process id. `key` is 32 hex digits; ids past 2^32 - 1 throw. */
export function accountNumberOf(id: number, key: string): string {
  if (!Number.isInteger(id) || id < 0 || id > 0xffffffff) throw new Error('the id has no account number');
  let [left, right] = [id >>> 16, id & 0xffff];
  for (let round = 0; round < ROUNDS; round++) [left, right] = [right, left ^ mixed(right, key, round)];
  return formatted(joined(left, right));
}

/** The process id that {@link accountNumberOf} makes this account number of: what finds an account without an index of numbers. */
export function processIdOf(accountNumber: string, key: string): number {
  const number = numberIn(accountNumber);
  let [left, right] = [number >>> 16, number & 0xffff];
  for (let round = ROUNDS - 1; round >= 0; round--) [left, right] = [right ^ mixed(left, key, round), left];
  return joined(left, right);
}

/** The same 32 bits in decimal: the `platform_identifier` of §2.7. The process id itself would say how many accounts there are. */
export const platformIdentifierOf = (accountNumber: string): string => String(numberIn(accountNumber));

/** True for text of the form of an account number. */
export const isAccountNumber = (text: string): boolean => /^A-[0-9A-F]{8}$/.test(text);

/** The account number that a platform identifier says in decimal; undefined if it is none. */
export function accountNumberOfIdentifier(identifier: string): string | undefined {
  const number = /^(?:0|[1-9]\d{0,9})$/.test(identifier) ? Number(identifier) : Number.NaN;
  return number <= 0xffffffff ? formatted(number) : undefined;
}

const formatted = (number: number): string => `A-${number.toString(16).toUpperCase().padStart(8, '0')}`;
const numberIn = (accountNumber: string): number => Number.parseInt(accountNumber.slice(2), 16);
const joined = (left: number, right: number): number => ((left << 16) | right) >>> 0;

/** What one round adds to the other half: 16 bits. */
function mixed(half: number, key: string, round: number): number {
  const roundKey = Number.parseInt(key.slice((round % 4) * 8, (round % 4) * 8 + 8), 16) + round;
  return mix(half, roundKey) & 0xffff;
}

function mix(value: number, key: number): number {
  let hash = (value ^ key) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
