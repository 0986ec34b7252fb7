/** What may be tried again, and when. */
import { ApiError, NoAnswerError } from './errors';

export interface RetryOptions {
  /** Tries of one request in all; 1 never repeats. Default 5. */
  readonly attempts?: number;
  /** The first pause is at most this long, each later one at most twice the one before. Default 250. */
  readonly baseMilliseconds?: number;
  /** No pause of our own is longer. Default 10,000. */
  readonly maxMilliseconds?: number;
  /** A `Retry-After` beyond this ends the tries. Default 60. */
  readonly maxRetryAfterSeconds?: number;
}

export const RETRIES: Required<RetryOptions> = {
  attempts: 5,
  baseMilliseconds: 250,
  maxMilliseconds: 10_000,
  maxRetryAfterSeconds: 60,
};

const REPEATABLE = new Set([429, 500, 502, 503, 504]);

/** Milliseconds to wait before a request that failed is tried again; undefined if it must not be. `attempt` counts from 1. */
export function pauseAfter(error: unknown, attempt: number, options: Required<RetryOptions>): number | undefined {
  if (attempt >= options.attempts) return undefined;
  // Full jitter: clients that failed together do not come back together.
  const own = Math.random() * Math.min(options.maxMilliseconds, options.baseMilliseconds * 2 ** (attempt - 1));
  if (error instanceof NoAnswerError) return own;
  if (!(error instanceof ApiError) || !REPEATABLE.has(error.status)) return undefined;
  const asked = error.retryAfterSeconds ?? 0;
  return asked > options.maxRetryAfterSeconds ? undefined : asked * 1_000 + own;
}

/** `Retry-After` as seconds, from either of its forms. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - Date.now()) / 1_000);
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal));
    const onAbort = () => {
      clearTimeout(timer);
      if (signal) reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const reasonOf = (signal: AbortSignal): Error => (signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
