/**
 * The GraphQL schema of §5, put together by hand: `buildSchema` would bring the library's reader of schema files along.
 */
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { DIRECTIVES, hideLaterParts } from './introspection';

const GenericScalar = new GraphQLScalarType({ name: 'GenericScalar', description: 'JSON of any shape.' });

const Input = new GraphQLInputObjectType({
  name: 'ObtainJSONWebTokenInput',
  description: 'Exactly one credential.',
  fields: {
    APIKey: { type: GraphQLString, description: 'The API key of the organisation.' },
    organizationSecretKey: { type: GraphQLString, description: 'An alias of APIKey.' },
    refreshToken: { type: GraphQLString, description: 'A refresh token that was obtained before; it is spent by this use.' },
  },
});

const Output = new GraphQLObjectType({
  name: 'ObtainPlatformJSONWebToken',
  fields: {
    token: { type: new GraphQLNonNull(GraphQLString), description: 'The access token for the Authorization header; good for 60 minutes.' },
    payload: { type: new GraphQLNonNull(GenericScalar), description: 'The claims of the token.' },
    refreshToken: { type: GraphQLString, description: 'Obtains the next token once, within 7 days; null where none could be stored.' },
    refreshExpiresIn: { type: GraphQLInt, description: 'When the refresh token expires: Unix time in seconds.' },
  },
});

const obtain = (description: string): GraphQLFieldConfig<unknown, unknown> => ({
  type: Output,
  description,
  args: { input: { type: new GraphQLNonNull(Input) } },
});

hideLaterParts();

export const schema = new GraphQLSchema({
  directives: DIRECTIVES,
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { isAlive: { type: new GraphQLNonNull(GraphQLBoolean), description: 'True when the endpoint answers.' } },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      obtainPlatformToken: obtain('Obtain a token for the data-import API.'),
      ObtainPlatformToken: obtain('The same under the name of the specification.'),
    },
  }),
});
