/** Access tokens (§5): obtained with the API key, renewed before they expire, one request at a time. */
import { ApiError, fieldOf } from './errors';

/** A token is renewed this long before it expires, so that no request carries one that dies on its way. */
const MARGIN_MILLISECONDS = 60_000;

const MUTATION =
  'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token payload refreshToken refreshExpiresIn } }';

const REFRESH_REFUSED = new Set(['PT-CT-1134', 'PT-CT-1135']);

/** Expired, invalid or spent; or the service cannot spend it, as with a database that takes no writes. The API key needs none of that. */
const needsApiKey = (error: unknown): boolean => error instanceof ApiError && (REFRESH_REFUSED.has(error.code) || error.status >= 500);

interface Grant {
  readonly token: string;
  /** Local clock, Unix milliseconds: only how long a token lives is the service's word, so that clocks may differ. */
  readonly expiresAt: number;
  readonly refreshToken: string | undefined;
  readonly refreshExpiresAt: number;
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string;
}

/** Sends a GraphQL request, once and without a token. */
export type PostGraphql = (body: object) => Promise<TokenAnswer>;

export class TokenKeeper {
  readonly #apiKey: string;
  readonly #post: PostGraphql;
  #grant: Grant | undefined;
  #obtaining: Promise<Grant> | undefined;

  constructor(apiKey: string, post: PostGraphql) {
    this.#apiKey = apiKey;
    this.#post = post;
  }

  /** A token that is good for a while. Callers that ask at the same time share one request. */
  async token(): Promise<string> {
    if (this.#grant && this.#grant.expiresAt - MARGIN_MILLISECONDS > Date.now()) return this.#grant.token;
    this.#obtaining ??= this.#obtain().finally(() => {
      this.#obtaining = undefined;
    });
    return (await this.#obtaining).token;
  }

  /** Forgets a token that was refused, unless another has taken its place already. */
  refuse(token: string): void {
    if (this.#grant?.token === token) this.#grant = undefined;
  }

  async #obtain(): Promise<Grant> {
    const before = this.#grant;
    if (before?.refreshToken && before.refreshExpiresAt - MARGIN_MILLISECONDS > Date.now()) {
      try {
        this.#grant = await this.#exchange({ refreshToken: before.refreshToken });
        return this.#grant;
      } catch (error) {
        if (!needsApiKey(error)) throw error;
      }
    }
    this.#grant = await this.#exchange({ APIKey: this.#apiKey });
    return this.#grant;
  }

  async #exchange(input: object): Promise<Grant> {
    const askedAt = Date.now();
    const { status, body, requestId } = await this.#post({ query: MUTATION, variables: { input } });
    const granted = fieldOf(fieldOf(body, 'data'), 'obtainPlatformToken');
    const [token, claims, refreshToken] = [fieldOf(granted, 'token'), fieldOf(granted, 'payload'), fieldOf(granted, 'refreshToken')];
    const [exp, iat, refreshExp] = [fieldOf(claims, 'exp'), fieldOf(claims, 'iat'), fieldOf(granted, 'refreshExpiresIn')];
    if (typeof token !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') throw refusal(status, body, requestId);
    return {
      token,
      expiresAt: askedAt + (exp - iat) * 1_000,
      refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
      refreshExpiresAt: typeof refreshExp === 'number' ? askedAt + (refreshExp - iat) * 1_000 : 0,
    };
  }
}

/** GraphQL refuses with 200 and `errors[].extensions`. */
function refusal(status: number, body: unknown, requestId: string): ApiError {
  const errors = fieldOf(body, 'errors');
  const extensions = fieldOf(Array.isArray(errors) ? errors[0] : undefined, 'extensions');
  const [code, detail] = [fieldOf(extensions, 'errorCode'), fieldOf(extensions, 'errorDescription')];
  return new ApiError(status, { code: code ?? 'unknown', detail: detail ?? 'No token was given.', graphql: body }, requestId);
}
