import { clientAddressOf, RATE_PERIOD_SECONDS, tooManyFailures } from '../http/failed-credentials';
import { throttled, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { parse } from '../shared/parse';
import * as declared from './endpoints';
import { type Credentials, obtainToken } from './obtain';
import { graphqlRequest } from './schema';

/**
 * `POST /v1/graphql/` (§5.2), open without a token. 200 with `data` or `errors`; 400, 413 and 415 for what is no GraphQL
 * request at all; 429 where a client address or an organisation asks for too many tokens, or too many of an address have failed.
 */
export const postGraphql = route(declared.obtainToken, async (c) => {
  const { draft, errors } = parse(graphqlRequest, c.var.body.value);
  if (errors.length > 0) return validationFailed(c, errors);
  const { query = '', variables, operationName } = draft;
  const { answerGraphql } = await import('./graphql');
  const obtain = (credentials: Credentials) => obtainToken(c.var.deps, credentials, clientAddressOf(c));
  const { result, obtained } = await answerGraphql({ query, variables, operationName }, obtain);
  if (obtained === 'throttled') return throttled(c, RATE_PERIOD_SECONDS);
  const isRefused = obtained !== undefined && obtained !== 'obtained';
  return (isRefused ? await tooManyFailures(c, 'token') : undefined) ?? c.json(result);
});
