/**
 * The OpenAPI 3.1 document, built from the zod schemas that validate requests and from the descriptions of the operations.
 * `npm run openapi` writes it to `public/`; a test shows that it is fresh.
 */
import { CALLER, type Endpoint, parametersOf } from '../http/endpoint';
import { COMMON_ANSWERS } from '../reference/common-answers';
import type { Answer, Content, Operation, Parameter, ParameterWords } from '../reference/operation';
import { PATH_PARAMETERS } from '../reference/path-parameters';
import { queryParameter } from '../shared/query';
import { FIELDS, OPERATOR_FIELDS, type Words } from './fields';
import { Components, type Json, type Side } from './json-schema';
import { OPERATIONS } from './operations';
import { ANSWERED, SENT } from './shapes';

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Tokens', description: 'From the API key of an organisation to a token for everything else.' },
  { name: 'Accounts', description: 'An account is validated, scheduled and watched until it is processed.' },
  { name: 'Account data', description: 'What is added to an account once it is imported. Every payload must name an Ongoing supplier.' },
  { name: 'Documents', description: 'Files that notes and statements point to: which are there, and how they get there.' },
  { name: 'Lists', description: 'What a supplier has staged and imported.' },
  { name: 'Runs', description: 'Deliveries of accounts: held, released, reconciled, reported and taken back as a whole.' },
  { name: 'Operator', description: 'Organisations, keys, suppliers and import processes, for the operator of the platform.' },
  { name: 'Events', description: 'What happened, in commit order, for those who follow it.' },
  { name: 'Platform', description: 'Imported accounts whole, for systems of the platform that copy them.' },
  { name: 'Service', description: 'Health and documentation.' },
];

const INTRODUCTION = `An importer hands over accounts; each becomes an import process that is turned into an account, once and only once. Then notes, transactions, statements and payment instructions are added to it. The command line, a typed client and a Postman collection are at [/tools/](/tools/).

- Every path also answers without its last slash. Where GET is answered, so is HEAD.
- An optional field may be absent, \`null\` or, where it is text, \`''\`: all three mean "not given".
- Undocumented fields are accepted, stored with the object they came in, to the last \`null\`, and not echoed; they may gain a meaning, so send documented ones only. Bulk lists them as \`warnings\`, and so does validate with \`?warnings=true\`.
- Numbers are read as their JSON text says them: what a double cannot give back is refused at its place (\`max_digits\`, \`invalid\`), never rounded.
- Datetimes without an offset are UTC. Decimals may be sent as numbers or strings.
- All errors of a payload come at once, up to 1,000. Logic belongs to \`code\`, never to \`detail\`.
- Limits: a body holds at most 1 MiB, an organisation sends at most 20,000 requests in 10 seconds.`;

const HEADERS: Readonly<Record<string, { description: string; schema: Json }>> = {
  'X-Request-Id': {
    description: "The caller's own, where it has 1 to 128 letters, digits, dots, dashes or underscores; else ours.",
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) an organisation may send in how many seconds (`w`).',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to ask again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate: `Token`, at the operator interface `Bearer`.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'Under which name to save it.', schema: { type: 'string' } },
  Link: { description: '`<…>; rel="next"`: the next page, where there is one.', schema: { type: 'string' } },
};

export function openapiDocument(): Json {
  const components = new Components();
  for (const [name, schema, words] of SENT) components.add(name, schema, 'sent', words);
  for (const [name, schema] of ANSWERED) components.add(name, schema, 'answered');
  const paths: Json = {};
  for (const operation of OPERATIONS) {
    const path = pathOf(operation.endpoint);
    paths[path] = { ...Object(paths[path]), [operation.endpoint.method.toLowerCase()]: operationOf(operation, components) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Account Data-Import Service',
      version: '1.0.0',
      summary: 'REST APIs that migrate customer accounts onto a platform.',
      description: INTRODUCTION,
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: TAGS.filter(({ name }) => OPERATIONS.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: components.schemas,
      responses: Object.fromEntries(Object.entries(COMMON_ANSWERS).map(([name, one]) => [name, answerOf(one, components)])),
      headers: HEADERS,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: '`Authorization: Token <token>`, `Bearer <token>`, or the bare token.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <OPERATOR_TOKEN>`, for the operator of the platform only.',
        },
        platformToken: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <PLATFORM_TOKEN>`, for systems of the platform; it only reads.',
        },
      },
    },
  };
}

const SECURITY = { importer: [{ token: [] }], operator: [{ operatorToken: [] }], platform: [{ platformToken: [] }], anybody: [] };

function operationOf(operation: Operation, components: Components): Json {
  const { id, tag, summary, description, body, answers } = operation;
  const { section, access } = operation.endpoint;
  const caller = CALLER[access];
  const parameters = [
    ...pathParameters(operation, components),
    ...operation.query.map((one) => queryParameterOf(one, components)),
    ...operation.headers.map((one) => parameterOf('header', one, components.schemaOf(one.schema, 'sent'))),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: section === undefined ? description : `${description} (§${section})`,
    security: SECURITY[caller],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: contentOf(body, 'sent', components, caller === 'operator' ? OPERATOR_FIELDS : FIELDS) } }
      : {}),
    responses: Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, referenceOf(one) ?? answerOf(one, components)])),
  };
}

function referenceOf(answer: Answer): Json | undefined {
  const name = Object.keys(COMMON_ANSWERS).find((common) => COMMON_ANSWERS[common] === answer);
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` };
}

/** The path as OpenAPI writes it: `{name}` for `:name`, and a last slash behind a pattern. */
const pathOf = ({ path }: Endpoint): string => path.replace(/:(\w+)\{.*\}$/, '{$1}/').replace(/:(\w+)/g, '{$1}');

function pathParameters({ endpoint, path }: Operation, components: Components): Json[] {
  const words: Readonly<Record<string, ParameterWords>> = { ...PATH_PARAMETERS, ...path };
  return Object.entries(parametersOf(endpoint.path).shape).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...words[name],
    schema: components.schemaOf(schema, 'sent'),
  }));
}

/** With what the text means, where that is no text. */
function queryParameterOf(parameter: Parameter, components: Components): Json {
  const { means } = queryParameter(parameter.schema);
  return parameterOf('query', parameter, means ?? components.schemaOf(parameter.schema, 'sent'), !parameter.schema.isOptional());
}

const parameterOf = (place: 'query' | 'header', { name, description, example }: Parameter, schema: unknown, isRequired = false): Json => ({
  name,
  in: place,
  ...(isRequired ? { required: true } : {}),
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

function answerOf({ description, headers = [], schemas, examples, mediaTypes }: Answer, components: Components): Json {
  const content = schemas
    ? { content: contentOf({ schemas, ...(examples ? { examples } : {}), ...(mediaTypes ? { mediaTypes } : {}) }, 'answered', components) }
    : {};
  const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(named), ...content };
}

function contentOf(
  { mediaTypes = ['application/json'], schemas, examples }: Content,
  side: Side,
  components: Components,
  words?: Words,
): Json {
  const shapes = schemas.map((schema) => components.schemaOf(schema, side, words));
  const one = { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes }, ...(examples ? { examples } : {}) };
  return Object.fromEntries(mediaTypes.map((type) => [type, one]));
}
