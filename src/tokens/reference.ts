/** Words and examples for §5. */
import { describe, type Operation } from '../reference/operation';
import { invalid } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

const OBTAIN = 'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn } }';

export const TOKENS: readonly Operation[] = [
  describe(declared.obtainToken, answers, {
    id: 'obtainToken',
    tag: 'Tokens',
    summary: 'Obtain a token',
    description:
      'GraphQL with the mutation `obtainPlatformToken` (also named `ObtainPlatformToken`): exactly one of `APIKey`, `organizationSecretKey` and `refreshToken` in, an access token for 60 minutes and a refresh token for 7 days out. A refresh token is spent at its use; `refreshToken` is null where none could be stored. Refusals are answered with 200 and coded `errors`. Introspection works.',
    body: {
      api_key: { summary: 'With the API key', value: { query: OBTAIN, variables: { input: { APIKey: 'sk_live_…' } } } },
      refresh: { summary: 'With a refresh token', value: { query: OBTAIN, variables: { input: { refreshToken: '…' } } } },
    },
    answers: {
      200: {
        description: 'The result, or coded errors.',
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
    },
  }),
];
