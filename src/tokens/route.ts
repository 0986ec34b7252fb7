import type { AppHandler } from '../http/app';
import { readJson } from '../http/body';
import { clientAddressOf, RATE_PERIOD_SECONDS, tooManyFailures } from '../http/failed-credentials';
import { bodyRefused } from '../http/json';
import { throttled, validationFailed } from '../http/replies';
import { parse } from '../shared/parse';
import { graphqlRequest } from './schema';

/**
 * `POST /v1/graphql/` (§5.2), open without a token. 200 with `data` or `errors`; 400, 413 and 415 for what is no GraphQL
 * request at all; 429 where a client address or an organisation asks for too many tokens, or too many of an address have failed.
 */
export const postGraphql: AppHandler = async (c) => {
  const body = await readJson(c);
  if (body.kind !== 'json') return bodyRefused(c, body);
  const { draft, errors } = parse(graphqlRequest, body.value);
  if (errors.length > 0) return validationFailed(c, errors);
  const { query = '', variables, operationName } = draft;
  const { answerGraphql } = await import('./graphql');
  const { result, obtained } = await answerGraphql(c.var.deps, { query, variables, operationName }, clientAddressOf(c));
  if (obtained === 'throttled') return throttled(c, RATE_PERIOD_SECONDS);
  const isRefused = obtained !== undefined && obtained !== 'obtained';
  return (isRefused ? await tooManyFailures(c, 'token') : undefined) ?? c.json(result);
};
