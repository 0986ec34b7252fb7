/** §5, and what else needs no token. */
import * as z from 'zod';
import { graphqlRequest } from '../tokens/schema';
import * as answer from './answers';
import { invalid, NOT_FOUND, OPEN_WRITE, type Operation, ok, one } from './operation';

const OBTAIN = 'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn } }';

const file = (path: string, id: string, summary: string, mediaType: string, schema: z.ZodType): Operation => ({
  method: 'get',
  path,
  id,
  tag: 'Service',
  summary,
  description: `${summary}.`,
  access: 'open',
  answers: { 200: { description: 'The file.', mediaType, schemas: [schema] } },
});

const NO_SUCH_PAGE = (operation: Operation): Operation => ({
  ...operation,
  answers: { ...operation.answers, 404: NOT_FOUND('No such page.') },
});

export const OPEN_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/graphql/',
    id: 'obtainToken',
    tag: 'Tokens',
    section: '5',
    summary: 'Obtain a token',
    description:
      'GraphQL with the mutation `obtainPlatformToken` (also named `ObtainPlatformToken`): exactly one of `APIKey`, `organizationSecretKey` and `refreshToken` in, an access token for 60 minutes and a refresh token for 7 days out. A refresh token is spent at its use; `refreshToken` is null where none could be stored. Refusals are answered with 200 and coded `errors`. Introspection works.',
    access: 'open',
    body: {
      schemas: [graphqlRequest],
      examples: {
        api_key: { summary: 'With the API key', value: { query: OBTAIN, variables: { input: { APIKey: 'sk_live_…' } } } },
        refresh: { summary: 'With a refresh token', value: { query: OBTAIN, variables: { input: { refreshToken: '…' } } } },
      },
    },
    answers: {
      200: {
        description: 'The result, or coded errors.',
        schemas: [answer.graphqlAnswer],
        examples: {
          token: {
            summary: 'A token',
            value: {
              data: { obtainPlatformToken: { token: 'eyJhbGciOiJIUzI1NiJ9…', refreshToken: '…', refreshExpiresIn: 1_764_241_200 } },
            },
          },
          refused: {
            summary: 'A wrong API key',
            value: {
              errors: [
                {
                  message: 'The API key is not valid.',
                  extensions: { errorType: 'VALIDATION', errorCode: 'PT-CT-1140', errorDescription: 'The API key is not valid.' },
                },
              ],
              data: { obtainPlatformToken: null },
            },
          },
        },
      },
      400: invalid('Not a GraphQL request.', [{ detail: 'This field is required.', code: 'required', attr: 'query' }]),
      ...OPEN_WRITE,
    },
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Get health',
    description: 'Answers while the Worker runs. Nothing else is asked, so that trouble elsewhere does not end it.',
    access: 'open',
    answers: { 200: ok('The Worker runs.', answer.health, { status: 'ok' }) },
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Get readiness',
    description:
      'Asks the tables (`tables`: the migrations are applied), a write (`write`), the secrets (`signing_key`, `previous_signing_key`, `operator_token`, `platform_token`, `previous_platform_token`), the age of the last sweep (`sweep`) and whether a restore was brought to its end (`restore`). The database is asked at most every five seconds.',
    access: 'open',
    answers: {
      200: ok('The service can work.', answer.ready, { status: 'ready' }),
      503: {
        description: 'It cannot, for these reasons.',
        schemas: [answer.notReady],
        examples: one('The database is full', {
          detail: 'The service cannot work right now.',
          code: 'not_ready',
          reasons: [{ name: 'write', detail: 'The database takes no writes. See docs/operating.md.' }],
        }),
        headers: ['Retry-After'],
      },
    },
  },
  file('/openapi.json', 'getOpenapi', 'Get this document', 'application/json', z.looseObject({ openapi: z.string() })),
  file('/docs/', 'getDocs', 'Get the reference', 'text/html', z.string()),
  NO_SUCH_PAGE(file('/docs/{page}/', 'getDocsPage', 'Get a page of the reference', 'text/html', z.string())),
  file('/tools/', 'getTools', 'Get the page of tools', 'text/html', z.string()),
  {
    ...file('/tools/{file}', 'getTool', 'Get a tool', 'application/octet-stream', z.string()),
    description:
      'What an importer works with: `data-import.mjs` (the command line, one file for Node 20), `data-import-client.tgz` (the client as a package without dependencies), `data-import.postman_collection.json`, and `SHA256SUMS` of them.',
    answers: {
      200: { description: 'The file.' },
      404: NOT_FOUND('There is no such tool.'),
    },
  },
  file('/favicon.ico', 'getFavicon', 'Get the icon', 'image/svg+xml', z.string()),
];
