/**
 * How a room describes an endpoint for the reference: words and examples, beside what the declaration says. The document, the page and the tests read the
 * result. Nothing of it is in the Worker.
 */
import * as z from 'zod';
import * as common from '../http/answers';
import { type Endpoint, NEEDED_ROLE, type ParametersOf, type RequestBody } from '../http/endpoint';
import { commonAnswers } from './common-answers';
import type { PATH_PARAMETERS } from './path-parameters';

export type Tag = 'Tokens' | 'Accounts' | 'Account data' | 'Documents' | 'Lists' | 'Runs' | 'Events' | 'Operator' | 'Platform' | 'Service';

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

/** What is said of an answer. */
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
  ? Extract<keyof Schema['shape'], string>
  : Declared extends { readonly queryWithBody: infer Schema extends z.ZodObject }
    ? Extract<keyof Schema['shape'], string>
    : never;

/** Parameters of the path that no other room has. */
type OwnPathOf<Declared extends Endpoint> = Exclude<ParametersOf<Declared['path']>, keyof typeof PATH_PARAMETERS>;

/** The names of a declaration's answers that are not of `http/answers.ts`. */
type ShapesOf<Answers> = Exclude<
  { [Status in keyof Answers]: Answers[Status] extends readonly (infer Name extends string)[] ? Name : never }[keyof Answers],
  keyof typeof common
>;

interface Description<Declared extends Endpoint> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly path?: Readonly<Record<OwnPathOf<Declared>, ParameterWords>>;
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

/** Every parameter has words: of its own, or in `path-parameters.ts`. */
type EachParameter<Declared extends Endpoint> = ([QueryOf<Declared>] extends [never]
  ? unknown
  : Required<Pick<Description<Declared>, 'query'>>) &
  ([OwnPathOf<Declared>] extends [never] ? unknown : Required<Pick<Description<Declared>, 'path'>>);

/**
 * Describes a declared endpoint. @param shapes `answers.ts` of the room: it has the schema of each name in the declaration that is not of `http/answers.ts`.
 */
export function describe<Declared extends Endpoint>(
  endpoint: Declared,
  shapes: Readonly<Record<ShapesOf<Declared['answers']>, z.ZodType>>,
  description: Description<Declared> & EachParameter<Declared>,
): Operation {
  const { headers = [], body, alsoSent = [], others } = description;
  const known: Readonly<Record<string, z.ZodType | undefined>> = { ...schemasIn(common), ...schemasIn(shapes) };
  const said: Readonly<Record<string, Said>> = description.answers;
  const answered = Object.entries(endpoint.answers).map(([status, names]): [string, Answer] => {
    const schemas = names.map((name) => known[name]).filter((schema) => schema !== undefined);
    const mediaTypes = endpoint.produces !== undefined && status.startsWith('2') ? { mediaTypes: [endpoint.produces].flat() } : {};
    return [status, { description: '', ...said[status], ...(schemas.length > 0 ? { schemas, ...mediaTypes } : {}) }];
  });
  const path: Readonly<Record<string, ParameterWords>> = description.path ?? {};
  const query: Readonly<Record<string, ParameterWords>> = description.query ?? {};
  return {
    endpoint,
    id: description.id,
    tag: description.tag,
    summary: description.summary,
    description: withRole(endpoint, description.description),
    path,
    query: Object.entries(query).map(([name, words]) => ({ name, ...words, schema: querySchema(endpoint, name) })),
    headers,
    ...(endpoint.body ? { body: contentOf(endpoint.body, alsoSent, body) } : {}),
    answers: { ...commonAnswers(endpoint), ...others, ...Object.fromEntries(answered) },
  };
}

/** At the operator interface with the role that is needed. */
const withRole = ({ access }: Endpoint, description: string): string =>
  access === 'reading' || access === 'operating' || access === 'administering'
    ? `${description} Role: \`${NEEDED_ROLE[access]}\`.`
    : description;

const schemasIn = (exported: object): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(Object.entries(exported).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType));

const querySchema = ({ query, queryWithBody }: Endpoint, name: string): z.ZodType =>
  query?.shape[name] ?? queryWithBody?.shape[name] ?? z.never();

function contentOf(body: RequestBody, alsoSent: readonly z.ZodType[], examples: Examples | undefined): Content {
  const schemas = [body.kind === 'file' ? common.file : body.schema, ...alsoSent];
  return { ...(body.kind === 'json' ? {} : { mediaTypes: body.mediaTypes }), schemas, ...(examples ? { examples } : {}) };
}
