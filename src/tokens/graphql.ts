/**
 * The GraphQL side of §5: schema, limits and coded errors. Loaded at the first token request, so that no other request pays
 * for the library.
 */
import { type ExecutionResult, execute, GraphQLError, parse, specifiedRules, validate } from 'graphql';
import type { Deps } from '../deps';
import { unreachable } from '../shared/unreachable';
import { schema } from './graphql-schema';
import { limits, MAX_TOKENS } from './limits';
import { type Credentials, type Obtained, obtainToken } from './obtain';

const RULES = [...specifiedRules, ...limits];

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

export interface GraphqlAnswer {
  readonly result: ExecutionResult;
  /** What became of a token that was asked for. */
  readonly obtained?: Obtained['kind'];
}

/** Answers one GraphQL request of a client address. Throws only for failures of our own. */
export async function answerGraphql(deps: Deps, request: GraphqlRequest, clientAddress: string): Promise<GraphqlAnswer> {
  const document = parsed(request.query);
  if (document instanceof GraphQLError) return { result: { errors: [document] } };
  const errors = validate(schema, document, RULES, { maxErrors: 20 });
  if (errors.length > 0) return { result: { errors } };
  let obtained: Obtained['kind'] | undefined;
  const obtain = async ({ input }: { input: Credentials }) => {
    const outcome = await obtainToken(deps, input, clientAddress);
    obtained = outcome.kind;
    return shown(outcome);
  };
  const result = await execute({
    schema,
    document,
    rootValue: { isAlive: true, obtainPlatformToken: obtain, ObtainPlatformToken: obtain },
    variableValues: request.variables,
    operationName: request.operationName,
  });
  const failure = result.errors?.find(({ originalError }) => originalError && !(originalError instanceof GraphQLError));
  if (failure?.originalError) throw failure.originalError;
  return obtained === undefined ? { result } : { result, obtained };
}

function parsed(query: string) {
  try {
    return parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function shown(outcome: Obtained) {
  switch (outcome.kind) {
    case 'obtained':
      return {
        token: outcome.token,
        payload: outcome.payload,
        refreshToken: outcome.refresh?.token ?? null,
        refreshExpiresIn: outcome.refresh?.expiresAt ?? null,
      };
    case 'throttled':
      // Its answer is a 429.
      throw new GraphQLError('Request was throttled.');
    case 'not_one_credential':
      throw refused('PT-CT-1137', 'Provide exactly one of APIKey, organizationSecretKey and refreshToken.');
    case 'bad_api_key':
      throw refused('PT-CT-1140', 'The API key is not valid.');
    case 'refresh_token_expired':
      throw refused('PT-CT-1134', 'The refresh token has expired.');
    case 'refresh_token_invalid':
      throw refused('PT-CT-1135', 'The refresh token is not valid or has been used.');
    default:
      return unreachable(outcome);
  }
}

const refused = (errorCode: string, errorDescription: string): GraphQLError =>
  new GraphQLError(errorDescription, { extensions: { errorType: 'VALIDATION', errorCode, errorDescription } });
