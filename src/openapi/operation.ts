/**
 * How an operation is described. The document, the reference page and the tests all read these values.
 */
import * as z from 'zod';
import * as answer from './answers';
import { AUTHENTICATION_FAILED, NOT_AUTHENTICATED, SERVER_ERROR } from './answers';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Tag = 'Tokens' | 'Accounts' | 'Account data' | 'Documents' | 'Lists' | 'Runs' | 'Operator' | 'Platform' | 'Service';

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Content {
  readonly mediaType?: string;
  /** Others for the same content. */
  readonly otherMediaTypes?: readonly string[];
  /** More than one: the answer has one of these shapes. */
  readonly schemas: readonly z.ZodType[];
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Answer extends Partial<Content> {
  readonly description: string;
  /** Names of `HEADERS`; X-Request-Id stands on every answer anyway. */
  readonly headers?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example?: unknown;
  readonly isRequired?: boolean;
}

export interface Operation {
  readonly method: Method;
  /** As in the README's table, `{name}` for parameters. */
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  /** Section of the specification. */
  readonly section?: string;
  readonly summary: string;
  readonly description: string;
  readonly access: 'importer' | 'operator' | 'platform' | 'open';
  readonly query?: readonly Parameter[];
  /** Headers of the request that mean something here alone. */
  readonly headers?: readonly Parameter[];
  readonly body?: Content;
  readonly answers: Readonly<Record<number, Answer>>;
}

export const one = (summary: string, value: unknown): Readonly<Record<string, Example>> => ({ example: { summary, value } });

const failure = (description: string, schema: z.ZodType, value: unknown, headers: readonly string[] = []): Answer => ({
  description,
  schemas: [schema],
  examples: one(description, value),
  headers,
});

const UNAUTHORIZED: Answer = {
  description: 'No token, or one that is not good: malformed, expired, or of a revoked API key. Obtain a new one.',
  schemas: [answer.problem],
  examples: {
    not_authenticated: { summary: 'No token', value: NOT_AUTHENTICATED },
    authentication_failed: { summary: 'A token that is not good', value: AUTHENTICATION_FAILED },
  },
  headers: ['WWW-Authenticate'],
};

const SERVER_FAILURE = failure(
  'A failure of ours. Nothing was stored, or it was stored once: send the request again unchanged.',
  answer.serverError,
  SERVER_ERROR,
  ['Retry-After'],
);

const NOT_SET_UP = failure(
  'The service is not set up: a secret that every token needs is missing or too short. The operator has to set it.',
  answer.serverError,
  { ...SERVER_ERROR, detail: 'The service is not set up: /readyz tells what is missing.', code: 'not_ready' },
  ['Retry-After'],
);

const NOT_TAKEN: Answer = {
  ...NOT_SET_UP,
  description:
    'New accounts are not taken for the moment, because the database has little room left or was restored; or the service is not set up.',
  examples: one('New accounts are not taken', {
    ...SERVER_ERROR,
    detail: 'New accounts are not taken for the moment. Send this again later.',
    code: 'service_unavailable',
  }),
};

const THROTTLED = failure(
  'More requests than the limit. Wait for Retry-After seconds.',
  answer.problem,
  { detail: 'Request was throttled.', code: 'throttled' },
  ['Retry-After'],
);

const OPERATOR_UNAUTHORIZED: Answer = { ...UNAUTHORIZED, description: 'No credential of the operator, or one that is not good.' };

/** Of the operator only credentials that are not good are counted. */
const FAILED_TOO_OFTEN: Answer = {
  ...THROTTLED,
  description: 'Too many credentials of this client address were not good. A good one is taken at any time.',
};

const PLATFORM_UNAUTHORIZED: Answer = { ...UNAUTHORIZED, description: 'No token of the platform, or one that is not good.' };

const TOO_LARGE = failure('The body is larger than 1 MiB.', answer.problem, {
  detail: 'The body is larger than 1048576 bytes.',
  code: 'payload_too_large',
});

const WRONG_MEDIA_TYPE: Answer = {
  description: 'The body is declared as something else: `detail` says whether type, charset or encoding.',
  schemas: [answer.problem],
  examples: {
    type: { summary: 'Another type', value: { detail: 'Unsupported media type: send application/json.', code: 'unsupported_media_type' } },
    charset: { summary: 'Another charset', value: { detail: 'Unsupported charset: send UTF-8.', code: 'unsupported_media_type' } },
    encoding: {
      summary: 'Compressed',
      value: { detail: 'Unsupported content encoding: send the body without Content-Encoding.', code: 'unsupported_media_type' },
    },
  },
};

export const MALFORMED: Example = {
  summary: 'Not JSON',
  value: { detail: 'JSON parse error: the body is not valid JSON.', code: 'parse_error' },
};

export const NOT_FOUND = (description: string): Answer => failure(description, answer.problem, { detail: 'Not found.', code: 'not_found' });

/** Answers that many operations share; the document holds each once. */
export const COMMON_ANSWERS: Readonly<Record<string, Answer>> = {
  Unauthorized: UNAUTHORIZED,
  OperatorUnauthorized: OPERATOR_UNAUTHORIZED,
  PlatformUnauthorized: PLATFORM_UNAUTHORIZED,
  TooLarge: TOO_LARGE,
  WrongMediaType: WRONG_MEDIA_TYPE,
  Throttled: THROTTLED,
  FailedTooOften: FAILED_TOO_OFTEN,
  ServerFailure: SERVER_FAILURE,
  NotSetUp: NOT_SET_UP,
  NotTaken: NOT_TAKEN,
};

/** What every request of an importer may be answered with. */
export const READ = { 401: UNAUTHORIZED, 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP };
/** What every request with a JSON body may be answered with, beside its own 400. */
export const WRITE = { ...READ, 413: TOO_LARGE, 415: WRONG_MEDIA_TYPE };
/** What every request that creates accounts may be answered with, beside its own 400. */
export const CREATE = { ...WRITE, 503: NOT_TAKEN };
export const OPERATOR_READ = { 401: OPERATOR_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE };
export const OPERATOR_WRITE = { ...OPERATOR_READ, 413: TOO_LARGE, 415: WRONG_MEDIA_TYPE };
export const PLATFORM_READ = { 401: PLATFORM_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE };
/** Without a token. */
export const OPEN_WRITE = { 413: TOO_LARGE, 415: WRONG_MEDIA_TYPE, 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP };

/** A 400 of the validation shape; a malformed body is told in the shape of all other failures. */
export const invalid = (
  description: string,
  errors: readonly { detail: string; code: string; attr: string }[],
  code = 'validation_error',
): Answer => ({
  description,
  schemas: [answer.validationError, answer.problem],
  examples: { invalid: { summary: 'All errors at once', value: { detail: 'The data is not valid.', code, errors } }, malformed: MALFORMED },
});

/** A 400 about the query of a GET. */
export const invalidQuery = (attr: string): Answer => ({
  description: 'A query parameter is not valid.',
  schemas: [answer.validationError],
  examples: one('A limit out of bounds', {
    detail: 'The data is not valid.',
    code: 'validation_error',
    errors: [{ detail: 'Enter a whole number from 1 to 10000.', code: 'invalid', attr }],
  }),
});

export const ok = (description: string, schema: z.ZodType, value: unknown, headers: readonly string[] = []): Answer => ({
  description,
  schemas: [schema],
  examples: one(description, value),
  headers,
});

export const noContent = (description: string): Answer => ({ description });

/** `true`, `false`, `1` or `0`, in any case. */
export const booleanQuery = z.boolean();
