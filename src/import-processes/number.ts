/**
 * Platform account numbers: `A-` and 8 hex digits that look random and are unique by construction, because a Feistel network
 * is a permutation of the 32-bit ids it is given. Pure.
 */

const ROUNDS = 6;

/** The account number of a process id. `key` is 32 hex digits; ids past 2^32 - 1 throw. */
export function accountNumberOf(id: number, key: string): string {
  if (!Number.isInteger(id) || id < 0 || id > 0xffffffff) throw new Error('the id has no account number');
  let [left, right] = [id >>> 16, id & 0xffff];
  for (let round = 0; round < ROUNDS; round++) {
    const roundKey = Number.parseInt(key.slice((round % 4) * 8, (round % 4) * 8 + 8), 16) + round;
    [left, right] = [right, left ^ (mix(right, roundKey) & 0xffff)];
  }
  return `A-${(((left << 16) | right) >>> 0).toString(16).toUpperCase().padStart(8, '0')}`;
}

/** The same 32 bits in decimal: the `platform_identifier` of §2.7. The process id itself would tell how many accounts there are. */
export const platformIdentifierOf = (accountNumber: string): string => String(Number.parseInt(accountNumber.slice(2), 16));

function mix(value: number, key: number): number {
  let hash = (value ^ key) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
