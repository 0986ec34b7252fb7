/** The requests of an importer as a Postman collection (v2.1), made of the OpenAPI document. */

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Keeps the token for the requests that follow. */
const KEEP_TOKEN = [
  'const token = pm.response.json().data?.obtainPlatformToken?.token;',
  "if (token) pm.collectionVariables.set('token', token);",
];

export function postmanCollection({ info, paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, ...item[method] }] : [])),
  );
  const asked = operations.filter(({ security, tags }) => tags.includes('Tokens') || security.some((one) => 'token' in one));
  const tags = [...new Set(asked.flatMap((operation) => operation.tags))].sort((a, b) => (b === 'Tokens') - (a === 'Tokens'));
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

function itemOf(operation) {
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
function bodyOf(requestBody, isToken) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  if (/ndjson/.test(type)) return { type, sent: { mode: 'raw', raw: '' } };
  const [example] = Object.values(content.examples ?? {});
  if (!example) return { type, sent: { mode: 'file', file: {} } };
  const value = isToken ? { ...example.value, variables: { input: { APIKey: '{{api_key}}' } } } : example.value;
  return { type, sent: { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } } };
}
