/**
 * What the declaration of an endpoint is. A room's `endpoints.ts` holds one value for each of its endpoints; the router, the OpenAPI document, the client's
 * types and the tests read it.
 */
import * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whose credential each access asks for. */
export const CALLER = {
  importer: 'importer',
  writer: 'importer',
  reading: 'operator',
  operating: 'operator',
  administering: 'operator',
  platform: 'platform',
  open: 'anybody',
} as const;
/** Who may call; `http/access.ts` has the middleware of each. */
export type Who = keyof typeof CALLER;

/** The role of an operator that each access needs. */
export const NEEDED_ROLE = { reading: 'read', operating: 'operate', administering: 'administer' } as const;

/** What a request carries beside its query. A stream has other media types than JSON, the usual one first; the room reads it by itself. */
export type RequestBody =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | { readonly kind: 'lines'; readonly schema: z.ZodType; readonly mediaTypes: readonly string[] }
  | { readonly kind: 'file'; readonly mediaTypes: readonly string[] };

export interface Endpoint {
  readonly method: Method;
  /** The whole path, `:name` for a parameter, with the names that the reference shows. Each also answers with or without its last slash. */
  readonly path: string;
  /** The section of `docs/specification.md`. */
  readonly section?: string;
  readonly access: Who;
  /** Read by middleware, before the handler: `c.req.valid('query')`. */
  readonly query?: z.ZodObject;
  /** Read by the verb instead, because errors of the query are answered together with those of the body. */
  readonly queryWithBody?: z.ZodObject;
  readonly body?: RequestBody;
  /** The media type of a success, where it is not JSON; more than one where the request says which. */
  readonly produces?: string | readonly string[];
  /**
   * By status: names of the shapes that the body may have, from `answers.ts` of the room or of `http/`; none where there is no body. Names, because no schema of
   * an answer belongs into the Worker. What every endpoint of the same access and kind of body may answer (401, 413, 415, 429, 500, 503) is not repeated.
   */
  readonly answers: Readonly<Record<number, readonly string[]>>;
}

/** Declares an endpoint. */
export const endpoint = <const Declared extends Endpoint>(declared: Declared): Declared => declared;

/** A body of JSON. The verb parses it by the schema, so that it answers all errors at once. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({ kind: 'json', schema }) as const;

export const NDJSON = 'application/x-ndjson';
/** A body of JSON lines. There is no registered type for them; these are in use. */
export const linesBody = <Schema extends z.ZodType>(schema: Schema) =>
  ({ kind: 'lines', schema, mediaTypes: [NDJSON, 'application/ndjson', 'application/jsonl'] }) as const;

type ParameterIn<Segment extends string> = Segment extends `:${infer Name}{${string}`
  ? Name
  : Segment extends `:${infer Name}`
    ? Name
    : never;
/** The names of the parameters in a path. */
export type ParametersOf<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterIn<Segment> | ParametersOf<Rest>
  : ParameterIn<Path>;

const parameter = z.string().min(1);

/** What the parameters in a path may be, decoded: any text. */
export function parametersOf(path: string): z.ZodObject<Record<string, z.ZodString>> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, parameter])));
}
