/** How long a service that does not answer is waited for, and what is said meanwhile. */
import type { ClientOptions, RetryOptions } from '../client';
import { UsageError } from './exit';
import { clock } from './progress';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Until it has answered once, a wrong address is likelier than an outage. */
const FIRST_PATIENCE_MILLISECONDS = 3_000;
const PATIENCE_MILLISECONDS = 600_000;
/** A request that has no answer for so long is shown as one without. */
const SILENCE_MILLISECONDS = 10_000;
const MAX_PAUSE_MILLISECONDS = 10_000;
const BUSY = new Set([429, 500, 502, 503, 504]);

/** The service was waited for in vain. */
export class Away extends UsageError {
  readonly words: string;

  /** `words` say what was waited for, `advice` how to go on. */
  constructor(words: string, advice = 'Nothing is lost: run the same command again.') {
    super(`${words} ${advice}`);
    this.words = words;
  }
}

/** The time without an answer between two answers. It ends what waits for an answer, by `signal`, once patience is over. */
export class Outage {
  readonly #address: string;
  readonly #patience: number;
  readonly #firstPatience: number;
  readonly #over = new AbortController();
  #since: number | undefined;
  #cause = '';
  #hasAnswered = false;
  #timer: NodeJS.Timeout | undefined;

  /** `patience` in milliseconds, as the user asked for it. */
  constructor(address: string, patience: number | undefined) {
    this.#address = address;
    this.#patience = patience ?? PATIENCE_MILLISECONDS;
    this.#firstPatience = patience ?? FIRST_PATIENCE_MILLISECONDS;
  }

  /** Aborted with the {@link Away} that says what was waited for. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Milliseconds that lines which the service itself failed are sent again for. */
  get patience(): number {
    return this.#patience;
  }

  /** Enough tries to fill the time that patience lasts. */
  get retries(): RetryOptions {
    const attempts = 10 + Math.ceil((this.#patience * 4) / MAX_PAUSE_MILLISECONDS);
    return { attempts, maxMilliseconds: MAX_PAUSE_MILLISECONDS, maxRetryAfterSeconds: Math.max(60, this.#patience / 1_000) };
  }

  /** `no answer since 0:42, trying again`; undefined while the service answers. */
  get notice(): string | undefined {
    return this.#since === undefined ? undefined : `${this.#cause} since ${clock((Date.now() - this.#since) / 1_000)}, trying again`;
  }

  readonly fetch: Fetch = async (url, init) => {
    const sentAt = Date.now();
    // An upload is no silence: it ends by its own time-out.
    const isUpload = init.method === 'PUT';
    const silence = isUpload
      ? undefined
      : setTimeout(() => this.#begin('no answer', 'it did not answer in time', sentAt), SILENCE_MILLISECONDS);
    try {
      const answer = await fetch(url, init);
      // Whoever answers at all is at the right address.
      this.#hasAnswered = true;
      if (BUSY.has(answer.status)) this.#begin(`answers ${answer.status}`, `it answered ${answer.status}`);
      else this.#end();
      return answer;
    } catch (error) {
      // A request that was ended here says nothing of the service; its time-out does.
      if (init.signal?.aborted !== true || isTimeout(error)) this.#begin('no answer', reasonOf(error));
      throw error;
    } finally {
      clearTimeout(silence);
    }
  };

  #begin(cause: string, reason: string, since = Date.now()): void {
    this.#cause = cause;
    if (this.#since !== undefined) return;
    this.#since = since;
    const patience = this.#hasAnswered ? this.#patience : this.#firstPatience;
    const words = this.#hasAnswered
      ? `${this.#address} gave no answer for ${clock(patience / 1_000)} (${reason}).`
      : `${this.#address} could not be reached (${reason}).`;
    const error = new Away(words);
    this.#timer = setTimeout(() => this.#over.abort(error), patience);
    this.#timer.unref();
  }

  #end(): void {
    this.#since = undefined;
    clearTimeout(this.#timer);
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Why no answer came, in words: what lies at the bottom of an error of `fetch`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isTimeout(error)) return 'it did not answer in time';
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const code = 'code' in error ? String(error.code) : '';
  const words = REASONS[code];
  if (words !== undefined) return `${words}, ${code}`;
  return error.cause === undefined ? error.message || code : reasonOf(error.cause);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to the host',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
};
