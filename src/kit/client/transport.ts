/** One request to the service: address, token, time-out, retries, and failures as typed errors. */
import { ApiError, DataImportError, NoAnswerError } from './errors';
import { pause, pauseAfter, RETRIES, type RetryOptions, retryAfterSeconds } from './retries';
import { type TokenAnswer, TokenKeeper } from './tokens';

/** The part of `fetch` that is needed; the platform's own unless given. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** For example `https://import.example.com`; may carry a path. */
  readonly baseUrl: string;
  /** The organisation's API key. Keep it secret: tokens are obtained with it. */
  readonly apiKey: string;
  readonly fetch?: Fetch;
  /** For one try of one request. Default 30,000; 120,000 for bulk. */
  readonly timeoutMilliseconds?: number;
  readonly retries?: RetryOptions;
}

/**
 * Bytes of a known number that can be read again for another try: a `Blob`, a `Uint8Array`, or anything that opens a new stream
 * of its `size` bytes each time.
 */
export type Bytes = Uint8Array<ArrayBuffer> | Blob | { readonly size: number; stream(): ReadableStream<Uint8Array> };

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its tries and its pauses; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Sent as `X-Request-Id`, `[A-Za-z0-9._-]{1,128}`; a random one unless given. */
  readonly requestId?: string;
  readonly timeoutMilliseconds?: number;
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the base URL on, with its query. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string } | { readonly type: string; readonly bytes: Bytes };
  readonly headers?: Readonly<Record<string, string>>;
  /** Tries in all, where they are not those of the client. */
  readonly attempts?: number;
  /** True for what must never be sent twice: no answer but the first counts, whatever it is. */
  readonly isOnce?: boolean;
}

const TIMEOUT_MILLISECONDS = 30_000;
const GRAPHQL = '/v1/graphql/';

export class Transport {
  readonly retries: Required<RetryOptions>;
  readonly #baseUrl: string;
  readonly #fetch: Fetch;
  readonly #timeout: number;
  readonly #tokens: TokenKeeper;

  constructor(options: ClientOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    // A platform's fetch may insist on being called as a function of its own world.
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#timeout = options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS;
    this.retries = { ...RETRIES, ...options.retries };
    this.#tokens = new TokenKeeper(options.apiKey, (body) => this.#postGraphql(body));
  }

  /** A token, so that access can be checked before anything else is done. */
  token(signal?: AbortSignal): Promise<string> {
    return this.#tried({ signal }, () => this.#tokens.token());
  }

  /** Sends a call, again where it may be, and reads its answer. A failure while reading is a failure of the try. */
  async request<T>(call: Call, read: (answer: Response) => Promise<T>): Promise<T> {
    const requestId = call.requestId ?? crypto.randomUUID();
    // Obtaining a token may be tried again, whatever the call it is for.
    if (call.isOnce) await this.token(call.signal);
    return this.#tried(call, async () => {
      const answer = await this.#authorized(call, requestId);
      try {
        return await read(answer);
      } catch (error) {
        throw this.noAnswer(error, requestId, call.signal);
      }
    });
  }

  /** The error of a broken connection, a time-out or a cut answer. An abort by the caller is the caller's own error. */
  noAnswer(error: unknown, requestId: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted || error instanceof DataImportError) return error;
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return new NoAnswerError(isTimeout ? 'The service did not answer in time.' : 'The service could not be reached.', requestId, {
      cause: error,
    });
  }

  async #tried<T>(
    call: Pick<Call, 'attempts' | 'isOnce'> & { readonly signal?: AbortSignal | undefined },
    attemptOnce: () => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptOnce();
      } catch (error) {
        const retries = call.attempts === undefined ? this.retries : { ...this.retries, attempts: call.attempts };
        const milliseconds = call.isOnce || call.signal?.aborted ? undefined : pauseAfter(error, attempt, retries);
        if (milliseconds === undefined) throw error;
        await pause(milliseconds, call.signal);
      }
    }
  }

  /** One try. A token that is refused is renewed, once. */
  async #authorized(call: Call, requestId: string): Promise<Response> {
    const token = await this.#tokens.token();
    const answer = await this.#send(call, requestId, token);
    if (answer.ok) return answer;
    if (answer.status !== 401) throw await refusal(answer, requestId);
    this.#tokens.refuse(token);
    const refused = await refusal(answer, requestId);
    if (call.isOnce) throw refused;
    const again = await this.#send(call, requestId, await this.#tokens.token());
    if (again.ok) return again;
    throw await refusal(again, requestId);
  }

  async #send(call: Call, requestId: string, token: string | undefined): Promise<Response> {
    const timeout = AbortSignal.timeout(call.timeoutMilliseconds ?? this.#timeout);
    const headers = new Headers({ ...call.headers, 'X-Request-Id': requestId });
    if (token !== undefined) headers.set('Authorization', `Token ${token}`);
    if (call.body) headers.set('Content-Type', call.body.type);
    try {
      return await this.#fetch(`${this.#baseUrl}${call.path}`, {
        method: call.method,
        headers,
        // The service never redirects; whoever does shall not get the token.
        redirect: 'manual',
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        ...(call.body ? bodyOf(call.body, headers) : {}),
      });
    } catch (error) {
      throw this.noAnswer(error, requestId, call.signal);
    }
  }

  /** One try, without a token. */
  async #postGraphql(body: object): Promise<TokenAnswer> {
    const requestId = crypto.randomUUID();
    const call: Call = { method: 'POST', path: GRAPHQL, body: { type: 'application/json', text: JSON.stringify(body) } };
    const answer = await this.#send(call, requestId, undefined);
    if (!answer.ok) throw await refusal(answer, requestId);
    try {
      return { status: answer.status, body: await answer.json(), requestId: answer.headers.get('X-Request-Id') ?? requestId };
    } catch (error) {
      throw this.noAnswer(error, requestId, undefined);
    }
  }
}

/** Bytes go with their number: without it a body is sent in chunks, which an upload does not take. */
function bodyOf(body: NonNullable<Call['body']>, headers: Headers): RequestInit {
  if ('text' in body) return { body: body.text };
  const { bytes } = body;
  if (bytes instanceof Uint8Array || bytes instanceof Blob) return { body: bytes };
  // On Workers a stream knows its length; elsewhere the header says it.
  if (typeof FixedLengthStream === 'function') return { body: bytes.stream().pipeThrough(new FixedLengthStream(bytes.size)) };
  headers.set('Content-Length', String(bytes.size));
  return { body: bytes.stream().pipeThrough(exactly(bytes.size)), ...HALF_DUPLEX };
}

/** Fails where a stream ends early: `fetch` of Node sends one that ends at once as an empty body, whatever its header says. */
function exactly(size: number): TransformStream<Uint8Array, Uint8Array> {
  let left = size;
  return new TransformStream({
    transform(part, controller) {
      left -= part.byteLength;
      controller.enqueue(part);
    },
    flush() {
      if (left !== 0) throw new Error(`The stream has not the ${size} bytes that it said.`);
    },
  });
}

/** The body of an answer, of which the service says what it holds: each runtime types `json()` in its own way. */
export async function jsonIn<T>(answer: Response): Promise<T> {
  const body: T = JSON.parse(await answer.text());
  return body;
}

/** What Workers have beside the web's own streams. */
declare const FixedLengthStream: (new (bytes: number) => TransformStream<Uint8Array, Uint8Array>) | undefined;

/** What `fetch` outside of Workers asks for with every stream. */
const HALF_DUPLEX: object = { duplex: 'half' };

async function refusal(answer: Response, requestId: string): Promise<ApiError> {
  const text = await answer.text().catch(() => '');
  return new ApiError(
    answer.status,
    jsonOf(text),
    answer.headers.get('X-Request-Id') ?? requestId,
    retryAfterSeconds(answer.headers.get('Retry-After')),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer of something between us and the service.
    return undefined;
  }
}
