/**
 * How full a database may become. Pure.
 */

/** D1's limit for one database (https://developers.cloudflare.com/d1/platform/limits/). `DATABASE_LIMIT_BYTES` sets another. */
export const DATABASE_LIMIT_BYTES = 10_000_000_000;

/** From here on it is loud: there is time to act. */
const HIGH_SHARE = 0.8;
/** From here on no new accounts come in: what is left belongs to those that did, to tokens, and to the operator's own changes. */
const FULL_SHARE = 0.9;

export interface Room {
  readonly bytes: number;
  readonly limitBytes: number;
  /** Of the limit, with one decimal. */
  readonly percent: number;
  readonly level: 'ok' | 'high' | 'full';
}

export function roomOf(bytes: number, limitBytes: number): Room {
  const share = bytes / limitBytes;
  const level = share >= FULL_SHARE ? 'full' : share >= HIGH_SHARE ? 'high' : 'ok';
  return { bytes, limitBytes, percent: Math.floor(share * 1_000) / 10, level };
}
