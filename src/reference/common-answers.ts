/** Answers that many endpoints share, whole. The document holds each once, by name. */
import type * as z from 'zod';
import * as common from '../http/answers';
import type { Endpoint } from '../http/endpoint';
import type { Answer } from './operation';
import { one, SERVER_ERROR } from './words';

const failure = (description: string, schema: z.ZodType, value: unknown, headers: readonly string[] = []): Answer => ({
  description,
  schemas: [schema],
  examples: one(description, value),
  headers,
});

const UNAUTHORIZED: Answer = {
  description: 'No token, or one that is not good: malformed, expired, or of a revoked API key. Obtain a new one.',
  schemas: [common.problem],
  examples: {
    not_authenticated: {
      summary: 'No token',
      value: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    },
    authentication_failed: { summary: 'A token that is not good', value: { detail: 'Invalid token.', code: 'authentication_failed' } },
  },
  headers: ['WWW-Authenticate'],
};

const SERVER_FAILURE = failure(
  'A failure of ours. Nothing was stored, or it was stored once: send the request again unchanged.',
  common.serverError,
  SERVER_ERROR,
  ['Retry-After'],
);

export const NOT_SET_UP = failure(
  'The service is not set up: a secret that every token needs is missing or too short. The operator has to set it.',
  common.serverError,
  { ...SERVER_ERROR, detail: 'The service is not set up: /readyz says what is missing.', code: 'not_ready' },
  ['Retry-After'],
);

export const NOT_TAKEN: Answer = {
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
  common.problem,
  { detail: 'Request was throttled.', code: 'throttled' },
  ['Retry-After', 'RateLimit-Policy'],
);

const OPERATOR_UNAUTHORIZED: Answer = { ...UNAUTHORIZED, description: 'No credential of the operator, or one that is not good.' };

/** Of the operator only credentials that are not good are counted. */
const FAILED_TOO_OFTEN: Answer = {
  ...THROTTLED,
  description: 'Too many credentials of this client address were not good. A good one is taken at any time.',
};

export const READ_ONLY_KEY = failure('The API key is read-only: use one that may write.', common.problem, {
  detail: 'This API key is read-only. Use a key that may write.',
  code: 'permission_denied',
});

const OPERATOR_FORBIDDEN = failure('The role of the operator does not reach.', common.problem, {
  detail: 'This needs the role operate. Ask an administrator for a token that has it.',
  code: 'permission_denied',
});

const PLATFORM_UNAUTHORIZED: Answer = { ...UNAUTHORIZED, description: 'No token of the platform, or one that is not good.' };

const TOO_LARGE = failure('The body is larger than 1 MiB.', common.problem, {
  detail: 'The body is larger than 1048576 bytes.',
  code: 'payload_too_large',
});

const WRONG_MEDIA_TYPE: Answer = {
  description: 'The body is declared as something else: `detail` says whether type, charset or encoding.',
  schemas: [common.problem],
  examples: {
    type: { summary: 'Another type', value: { detail: 'Unsupported media type: send application/json.', code: 'unsupported_media_type' } },
    charset: { summary: 'Another charset', value: { detail: 'Unsupported charset: send UTF-8.', code: 'unsupported_media_type' } },
    encoding: {
      summary: 'Compressed',
      value: { detail: 'Unsupported content encoding: send the body without Content-Encoding.', code: 'unsupported_media_type' },
    },
  },
};

/** Answers that many operations share; the document holds each once. */
export const COMMON_ANSWERS: Readonly<Record<string, Answer>> = {
  Unauthorized: UNAUTHORIZED,
  OperatorUnauthorized: OPERATOR_UNAUTHORIZED,
  OperatorForbidden: OPERATOR_FORBIDDEN,
  ReadOnlyKey: READ_ONLY_KEY,
  PlatformUnauthorized: PLATFORM_UNAUTHORIZED,
  TooLarge: TOO_LARGE,
  WrongMediaType: WRONG_MEDIA_TYPE,
  Throttled: THROTTLED,
  FailedTooOften: FAILED_TOO_OFTEN,
  ServerFailure: SERVER_FAILURE,
  NotSetUp: NOT_SET_UP,
  NotTaken: NOT_TAKEN,
};

const IMPORTER = { 401: UNAUTHORIZED, 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP };
const OPERATOR = { 401: OPERATOR_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE };

/** What every endpoint of this access and kind of body may answer. */
export function commonAnswers({ access, body }: Endpoint): Readonly<Record<number, Answer>> {
  const taken = body === undefined || body.kind === 'file' ? {} : { 413: TOO_LARGE, 415: WRONG_MEDIA_TYPE };
  switch (access) {
    case 'importer':
      return { ...IMPORTER, ...taken };
    case 'writer':
      return { ...IMPORTER, 403: READ_ONLY_KEY, ...taken };
    case 'reading':
      return { ...OPERATOR, ...taken };
    case 'operating':
    case 'administering':
      return { ...OPERATOR, 403: OPERATOR_FORBIDDEN, ...taken };
    case 'platform':
      return { 401: PLATFORM_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE, ...taken };
    case 'open':
      return body === undefined ? {} : { 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP, ...taken };
  }
}
