/** When a delivery is tried again, and which generations of a secret sign it (§13). Pure. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DELAYS = [5 * SECOND, 30 * SECOND, 120 * SECOND, 600 * SECOND, HOUR];
const LAST_DELAY = 3 * HOUR;
const GIVEN_UP_AFTER = 72 * HOUR;
const BOTH_SECRETS = 24 * HOUR;

/** What follows a delivery that was not taken. */
export type Afterwards =
  | { readonly kind: 'again'; readonly delayMilliseconds: number }
  | { readonly kind: 'disabled'; readonly reason: 'failing' | 'gone' };

/** `attempts` counts the one that just failed; `failingSince` and `now` are Unix milliseconds. */
export function afterFailure(reason: string, attempts: number, failingSince: number, now: number): Afterwards {
  if (reason === 'status_410') return { kind: 'disabled', reason: 'gone' };
  if (now - failingSince >= GIVEN_UP_AFTER) return { kind: 'disabled', reason: 'failing' };
  return { kind: 'again', delayMilliseconds: DELAYS[attempts - 1] ?? LAST_DELAY };
}

/** Until when the secret before the present one signs along; undefined where none does. */
export function previousSecretUntil(rotatedAt: number | null, now: number): number | undefined {
  const until = rotatedAt === null ? undefined : rotatedAt + BOTH_SECRETS;
  return until === undefined || until <= now ? undefined : until;
}

/** The generations that sign at that moment, the present one first. */
export const signingGenerations = (generation: number, rotatedAt: number | null, now: number): number[] =>
  previousSecretUntil(rotatedAt, now) === undefined ? [generation] : [generation, generation - 1];
