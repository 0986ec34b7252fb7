/**
 * The GraphQL side of §5: schema, limits and coded errors. Loaded at the first token request, so that no other request pays
 * for the library.
 */
import { execute, type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError, parse, specifiedRules, validate } from 'graphql';
import type { TokenCode } from '../shared/error-codes';
import { unreachable } from '../shared/unreachable';
import { schema } from './graphql-schema';
import { limits, MAX_TOKENS } from './limits';
import type { Credentials, Obtained } from './obtain';

const RULES = [...specifiedRules, ...limits];

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

export interface GraphqlAnswer {
  readonly result: FormattedExecutionResult;
  /** What became of a token that was asked for. */
  readonly obtained?: Obtained['kind'];
}

/**
 * Answers one GraphQL request. Throws only for failures of our own. `obtainToken` is given, not imported: what this file imports is not
 * evaluated with the Worker but when the first token is asked for, and that is to be GraphQL alone.
 */
export async function answerGraphql(
  request: GraphqlRequest,
  obtainToken: (credentials: Credentials) => Promise<Obtained>,
): Promise<GraphqlAnswer> {
  const document = parsed(request.query);
  if (document instanceof GraphQLError) return { result: { errors: [shownError(document)] } };
  const refusals = validate(schema, document, RULES, { maxErrors: 20 });
  if (refusals.length > 0) return { result: { errors: refusals.map(shownError) } };
  let obtained: Obtained['kind'] | undefined;
  const obtain = async ({ input }: { input: Credentials }) => {
    const outcome = await obtainToken(input);
    obtained = outcome.kind;
    return shown(outcome);
  };
  const { data, errors: failures } = await execute({
    schema,
    document,
    rootValue: { isAlive: true, obtainPlatformToken: obtain, ObtainPlatformToken: obtain },
    variableValues: request.variables,
    operationName: request.operationName,
  });
  const failure = failures?.find(({ originalError }) => originalError && !(originalError instanceof GraphQLError));
  if (failure?.originalError) throw failure.originalError;
  const errors = failures ? { errors: failures.map(shownError) } : {};
  const result = { ...errors, ...(data === undefined ? {} : { data }) };
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

/** A word as long as credentials are. No name of the schema comes near. */
const CREDENTIAL = /[\w-]{30,}/g;

/**
 * An error as it goes over the wire: `extensions` always says what kind it is and describes it; a code of its own have the four
 * refusals of a token. The library quotes what it was sent, so what could be a credential is cut out.
 */
function shownError(error: GraphQLError): GraphQLFormattedError {
  const { message, extensions, ...place } = error.toJSON();
  const errorDescription = message.replace(CREDENTIAL, '…');
  return { message: errorDescription, ...place, extensions: { errorType: 'VALIDATION', errorDescription, ...extensions } };
}

const refused = (errorCode: TokenCode, errorDescription: string): GraphQLError =>
  new GraphQLError(errorDescription, { extensions: { errorCode } });
