/**
 * How a room describes an endpoint for the reference: words and examples, beside what the declaration says. The document, the page and the tests read the
 * result. Nothing of it is in the Worker.
 */
import * as z from 'zod';
import * as common from '../http/answers';
import type { Endpoint, Method, ParametersOf, RequestBody } from '../http/endpoint';
import { queryParameter } from '../shared/query';

export type Tag = 'Tokens' | 'Accounts' | 'Account data' | 'Documents' | 'Lists' | 'Operator' | 'Platform' | 'Service';

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

export interface Content {
  readonly mediaTypes?: readonly string[];
  /** More than one: the content has one of these shapes. */
  readonly schemas: readonly z.ZodType[];
  readonly examples?: Examples;
}

/** What is said of an common. */
export interface Said {
  readonly description: string;
  readonly examples?: Examples;
  /** Names of `HEADERS`; every answer has X-Request-Id. */
  readonly headers?: readonly string[];
}

export interface Answer extends Said, Partial<Content> {}

export interface ParameterWords {
  readonly description: string;
  readonly example?: unknown;
}

export interface Parameter extends ParameterWords {
  readonly name: string;
  readonly schema: z.ZodType;
}

export interface Operation {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Words for parameters of the path that are of this endpoint only. */
  readonly path: Readonly<Record<string, ParameterWords>>;
  readonly query: readonly Parameter[];
  /** Headers of the request that mean something here alone. */
  readonly headers: readonly Parameter[];
  readonly body?: Content;
  readonly answers: Readonly<Record<number, Answer>>;
}

type QueryOf<Declared extends Endpoint> = Declared extends { readonly query: infer Schema extends z.ZodObject }
  ? keyof Schema['shape']
  : Declared extends { readonly queryWithBody: infer Schema extends z.ZodObject }
    ? keyof Schema['shape']
    : never;

/** The names of a declaration's answers that are not of `http/answers.ts`. */
type ShapesOf<Declared extends Endpoint> = Exclude<Declared['answers'][keyof Declared['answers']][number], keyof typeof common>;

interface Description<Declared extends Endpoint> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly path?: Readonly<Partial<Record<ParametersOf<Declared['path']>, ParameterWords>>>;
  /** In the order in which the reference shows them. */
  readonly query?: Readonly<Record<QueryOf<Declared>, ParameterWords>>;
  readonly headers?: readonly Parameter[];
  /** Examples of the body. */
  readonly body?: Examples;
  /** Further shapes of the body. */
  readonly alsoSent?: readonly z.ZodType[];
  readonly answers: { readonly [Status in keyof Declared['answers']]: Said };
  /** In place of what all endpoints of this kind say of a status. */
  readonly others?: Readonly<Record<number, Answer>>;
}

/**
 * Describes a declared endpoint. @param shapes `answers.ts` of the room: it has the schema of each name in the declaration that is not of `http/answers.ts`.
 */
export function describe<Declared extends Endpoint>(
  endpoint: Declared,
  shapes: Readonly<Record<ShapesOf<Declared>, z.ZodType>>,
  { id, tag, summary, description, path = {}, query = {}, headers = [], body, alsoSent = [], answers, others }: Description<Declared>,
): Operation {
  const known: Readonly<Record<string, z.ZodType | undefined>> = { ...schemasIn(common), ...schemasIn(shapes) };
  const said: Readonly<Record<string, Said>> = answers;
  const answered = Object.entries(endpoint.answers).map(([status, names]): [string, Answer] => {
    const schemas = names.map((name) => known[name]).filter((schema) => schema !== undefined);
    const mediaTypes = endpoint.produces !== undefined && status.startsWith('2') ? { mediaTypes: [endpoint.produces] } : {};
    return [status, { description: '', ...said[status], ...(schemas.length > 0 ? { schemas, ...mediaTypes } : {}) }];
  });
  const parameters: Readonly<Record<string, ParameterWords>> = query;
  return {
    endpoint,
    id,
    tag,
    summary,
    description,
    path,
    query: Object.entries(parameters).map(([name, words]) => ({ name, ...words, schema: querySchema(endpoint, name) })),
    headers,
    ...(endpoint.body ? { body: contentOf(endpoint.body, alsoSent, body) } : {}),
    answers: { ...commonAnswers(endpoint), ...others, ...Object.fromEntries(answered) },
  };
}

const schemasIn = (exported: object): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(Object.entries(exported).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType));

const querySchema = ({ query, queryWithBody }: Endpoint, name: string): z.ZodType =>
  query?.shape[name] ?? queryWithBody?.shape[name] ?? z.never();

function contentOf(body: RequestBody, alsoSent: readonly z.ZodType[], examples: Examples | undefined): Content {
  const schemas = [body.kind === 'file' ? common.file : body.schema, ...alsoSent];
  return { ...(body.kind === 'json' ? {} : { mediaTypes: body.mediaTypes }), schemas, ...(examples ? { examples } : {}) };
}

/** What every endpoint of this access and kind of body may common. */
function commonAnswers({ access, body }: Endpoint): Readonly<Record<number, Answer>> {
  const taken = body === undefined || body.kind === 'file' ? {} : { 413: TOO_LARGE, 415: WRONG_MEDIA_TYPE };
  switch (access) {
    case 'importer':
      return { 401: UNAUTHORIZED, 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP, ...taken };
    case 'operator':
      return { 401: OPERATOR_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE, ...taken };
    case 'platform':
      return { 401: PLATFORM_UNAUTHORIZED, 429: FAILED_TOO_OFTEN, 500: SERVER_FAILURE, ...taken };
    case 'open':
      return body === undefined ? {} : { 429: THROTTLED, 500: SERVER_FAILURE, 503: NOT_SET_UP, ...taken };
  }
}

export const one = (summary: string, value: unknown): Examples => ({ example: { summary, value } });

export const SERVER_ERROR = {
  detail: 'An unexpected error occurred. Send the request again.',
  code: 'error',
  request_id: '0f6f3c1e-7d0c-4c0e-9f57-0d9f3f6f2b11',
};

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

const NOT_SET_UP = failure(
  'The service is not set up: a secret that every token needs is missing or too short. The operator has to set it.',
  common.serverError,
  { ...SERVER_ERROR, detail: 'The service is not set up: /readyz tells what is missing.', code: 'not_ready' },
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
  ['Retry-After'],
);

const OPERATOR_UNAUTHORIZED: Answer = { ...UNAUTHORIZED, description: 'No credential of the operator, or one that is not good.' };

/** Of the operator only credentials that are not good are counted. */
const FAILED_TOO_OFTEN: Answer = {
  ...THROTTLED,
  description: 'Too many credentials of this client address were not good. A good one is taken at any time.',
};

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

export const MALFORMED: Example = {
  summary: 'Not JSON',
  value: { detail: 'JSON parse error: the body is not valid JSON.', code: 'parse_error' },
};

export const NOT_FOUND = (description: string): Said => ({
  description,
  examples: one(description, { detail: 'Not found.', code: 'not_found' }),
});

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

/** A 400 of the validation shape; a malformed body is answered in the shape of all other failures. */
export const invalid = (
  description: string,
  errors: readonly { detail: string; code: string; attr: string }[],
  code = 'validation_error',
): Said => ({
  description,
  examples: { invalid: { summary: 'All errors at once', value: { detail: 'The data is not valid.', code, errors } }, malformed: MALFORMED },
});

/** The error of a query parameter that is refused, as the middleware answers it. */
export function queryError(schema: z.ZodObject, attr: string) {
  const { code, detail } = queryParameter(schema.shape[attr]);
  return { detail, code, attr };
}

/** A 400 about a query parameter. */
export const invalidQuery = (schema: z.ZodObject, attr: string): Said => ({
  description: 'A query parameter is not valid.',
  examples: one(attr === 'limit' ? 'A limit out of bounds' : 'A parameter that is refused', {
    detail: 'The data is not valid.',
    code: 'validation_error',
    errors: [queryError(schema, attr)],
  }),
});

export const ok = (description: string, value: unknown, headers: readonly string[] = []): Said => ({
  description,
  examples: one(description, value),
  headers,
});
