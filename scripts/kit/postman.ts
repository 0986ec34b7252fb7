/** The requests of an importer as a Postman collection (v2.1), made of the OpenAPI document. */

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Keeps the token for the requests that follow. */
const KEEP_TOKEN = [
  'const token = pm.response.json().data?.obtainPlatformToken?.token;',
  "if (token) pm.collectionVariables.set('token', token);",
];

/** The part of the document that a collection is made of. */
interface Described {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: unknown;
    readonly description?: string;
  }[];
  readonly requestBody?: RequestBody;
}

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { readonly value: object }>> }>>;
}

interface Document {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, { readonly [Method in (typeof METHODS)[number]]?: Described }>>;
}

interface Operation extends Described {
  readonly path: string;
  readonly method: string;
}

export function postmanCollection({ info, paths }: Document): object {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => (item[method] ? [{ path, method, ...item[method] }] : [])),
  );
  const asked = operations.filter(({ security, tags }) => tags.includes('Tokens') || security.some((one) => 'token' in one));
  const tags = [...new Set(asked.flatMap((operation) => operation.tags))].sort((a, b) => Number(b === 'Tokens') - Number(a === 'Tokens'));
  return {
    info: {
      name: info.title,
      description: 'Set `base_url` and `api_key`, then obtain a token: the other requests use it.',
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization' },
        { key: 'value', value: 'Token {{token}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'base_url', value: '' },
      { key: 'api_key', value: '' },
      { key: 'token', value: '' },
    ],
    item: tags.map((tag) => ({ name: tag, item: asked.filter((operation) => operation.tags.includes(tag)).map(itemOf) })),
  };
}

function itemOf(operation: Operation) {
  const { path, method, summary, description, parameters = [], requestBody, tags } = operation;
  const isToken = tags.includes('Tokens');
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, example, description: words }) => ({
      key: name,
      value: String(example ?? ''),
      description: words,
      disabled: true,
    }));
  const body = bodyOf(requestBody, isToken);
  return {
    name: summary,
    ...(isToken ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_TOKEN } }] } : {}),
    request: {
      method: method.toUpperCase(),
      description,
      ...(isToken ? { auth: { type: 'noauth' } } : {}),
      header: body ? [{ key: 'Content-Type', value: body.type }] : [],
      url: {
        raw: `{{base_url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{base_url}}'],
        path: path
          .slice(1)
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query,
        variable: parameters.filter((one) => one.in === 'path').map(({ name, example }) => ({ key: name, value: String(example ?? '') })),
      },
      ...(body ? { body: body.sent } : {}),
    },
  };
}

/** The first example; a file is chosen by who sends it, and a request with neither sends an empty line. */
function bodyOf(requestBody: RequestBody | undefined, isToken: boolean) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return undefined;
  if (/ndjson/.test(type)) return { type, sent: { mode: 'raw', raw: '' } };
  const [example] = Object.values(content.examples ?? {});
  if (!example) return { type, sent: { mode: 'file', file: {} } };
  const value = isToken ? { ...example.value, variables: { input: { APIKey: '{{api_key}}' } } } : example.value;
  return { type, sent: { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } } };
}
