/** §5.2: the GraphQL endpoint as GraphQL tools meet it: errors with `extensions`, and introspection that older readers understand. */
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { call } from '../support/given';

const ask = (body: Record<string, unknown>) => call('POST', '/v1/graphql/', { body });

interface Result {
  data?: unknown;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
}
/** A body that the test goes on to assert. */
const resultOf = async (body: Record<string, unknown>): Promise<Result> => (await ask(body)).body as Result;

const MUTATION = 'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token } }';
const many = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i)).join(' ');

describe('200 errors of a document or its variables', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a syntax error', { query: '{' }],
    ['no operation', { query: 'fragment f on Query { isAlive }' }],
    ['an unknown field', { query: '{ nothing }' }],
    ['an unknown argument', { query: 'mutation { obtainPlatformToken(secret: 1) { token } }' }],
    ['a missing selection', { query: 'mutation { obtainPlatformToken(input: {}) }' }],
    ['two operations', { query: 'query a { isAlive } query b { isAlive }' }],
    ['an operation that is not there', { query: 'query a { isAlive }', operationName: 'b' }],
    ['two token fields', { query: 'mutation { obtainPlatformToken(input: {}) { token } ObtainPlatformToken(input: {}) { token } }' }],
    ['many aliases', { query: `{ ${many(50, (i) => `a${i}: isAlive`)} }` }],
    ['many tokens', { query: `{ ${many(1_001, () => 'isAlive')} }` }],
    ['deep nesting', { query: `{ __schema { types ${'{ fields { type '.repeat(10)} { name } ${'} }'.repeat(10)} } }` }],
    ['a missing variable', { query: MUTATION }],
    ['a variable of another type', { query: MUTATION, variables: { input: 'sk_live_x' } }],
    ['an unknown input field', { query: MUTATION, variables: { input: { apiKey: 'x' } } }],
    ['an input field of another type', { query: MUTATION, variables: { input: { APIKey: 1 } } }],
    ['a literal of another type', { query: 'mutation { obtainPlatformToken(input: {APIKey: 1}) { token } }' }],
  ])('%s: each carries its type and its description, and no code of another error', async (_, body) => {
    const { errors = [], ...rest } = await resultOf(body);
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, extensions } of errors) expect(extensions).toEqual({ errorType: 'VALIDATION', errorDescription: message });
    expect(rest).toEqual({});
  });

  const SECRET = `sk_live_${'aB3_-xYz9'.repeat(5)}`;
  it.each<[string, Record<string, unknown>]>([
    ['a text where none may stand', { query: `mutation { "${SECRET}" }` }],
    ['a key without quotes', { query: `mutation { obtainPlatformToken(input: {APIKey: ${SECRET.replaceAll('-', '_')}}) { token } }` }],
    ['a key in place of the input', { query: `mutation { obtainPlatformToken(input: "${SECRET}") { token } }` }],
    ['a key in place of the input variable', { query: MUTATION, variables: { input: SECRET } }],
    ['a key in a list', { query: MUTATION, variables: { input: { APIKey: [SECRET] } } }],
    ['a key as the name of a field', { query: MUTATION, variables: { input: { [SECRET]: 'x' } } }],
    ['a key as the name of the operation', { query: 'query a { isAlive }', operationName: SECRET }],
  ])('no error repeats a credential: %s', async (_, body) => {
    const { errors = [] } = await resultOf(body);
    expect(errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toMatch(/aB3_.xYz9/);
  });
});

describe('400 an envelope that is no GraphQL request', () => {
  it.each([['{}'], [1], [[]], [true]])('variables that are no object are answered so: %j', async (variables) => {
    expect(await ask({ query: '{ isAlive }', variables })).toMatchObject({
      status: 400,
      body: {
        code: 'validation_error',
        errors: [{ attr: 'variables', code: 'invalid', detail: 'Invalid data. Expected an object.' }],
      },
    });
  });
});

describe('200 introspection', () => {
  const options = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true };

  it('shows the directives that a reader of the specification of October 2021 knows, where it knows them', async () => {
    const { data } = (await resultOf({ query: getIntrospectionQuery(options) })) as { data: IntrospectionQuery };
    expect(data.__schema.directives.map(({ name, locations, args }) => [name, locations, args.map((arg) => arg.name)])).toEqual([
      ['include', ['FIELD', 'FRAGMENT_SPREAD', 'INLINE_FRAGMENT'], ['if']],
      ['skip', ['FIELD', 'FRAGMENT_SPREAD', 'INLINE_FRAGMENT'], ['if']],
      ['deprecated', ['FIELD_DEFINITION', 'ARGUMENT_DEFINITION', 'INPUT_FIELD_DEFINITION', 'ENUM_VALUE'], ['reason']],
      ['specifiedBy', ['SCALAR'], ['url']],
    ]);
  });

  it('shows of its own types the fields and values of that specification, no more and no less', async () => {
    const query =
      '{ __schema { types { name kind fields(includeDeprecated: true) { name args(includeDeprecated: true) { name } } enumValues { name } } } }';
    const { data } = (await resultOf({ query })) as {
      data: {
        __schema: {
          types: {
            name: string;
            kind: string;
            fields: { name: string; args: { name: string }[] }[] | null;
            enumValues: { name: string }[] | null;
          }[];
        };
      };
    };
    const shown = data.__schema.types
      .filter(({ name }) => name.startsWith('__'))
      .map(({ name, fields, enumValues }): [string, string[]] => [
        name,
        fields
          ? fields.map((field) => (field.args.length > 0 ? `${field.name}(${field.args.map((arg) => arg.name).join()})` : field.name))
          : (enumValues ?? []).map((value) => value.name),
      ]);
    expect(Object.fromEntries(shown)).toEqual({
      __Schema: ['description', 'types', 'queryType', 'mutationType', 'subscriptionType', 'directives'],
      __Type: [
        'kind',
        'name',
        'description',
        'specifiedByURL',
        'fields(includeDeprecated)',
        'interfaces',
        'possibleTypes',
        'enumValues(includeDeprecated)',
        'inputFields(includeDeprecated)',
        'ofType',
      ],
      __TypeKind: ['SCALAR', 'OBJECT', 'INTERFACE', 'UNION', 'ENUM', 'INPUT_OBJECT', 'LIST', 'NON_NULL'],
      __Field: ['name', 'description', 'args(includeDeprecated)', 'type', 'isDeprecated', 'deprecationReason'],
      __InputValue: ['name', 'description', 'type', 'defaultValue', 'isDeprecated', 'deprecationReason'],
      __EnumValue: ['name', 'description', 'isDeprecated', 'deprecationReason'],
      __Directive: ['name', 'description', 'isRepeatable', 'locations', 'args(includeDeprecated)'],
      __DirectiveLocation: [
        'QUERY',
        'MUTATION',
        'SUBSCRIPTION',
        'FIELD',
        'FRAGMENT_DEFINITION',
        'FRAGMENT_SPREAD',
        'INLINE_FRAGMENT',
        'VARIABLE_DEFINITION',
        'SCHEMA',
        'SCALAR',
        'OBJECT',
        'FIELD_DEFINITION',
        'ARGUMENT_DEFINITION',
        'INTERFACE',
        'UNION',
        'ENUM',
        'ENUM_VALUE',
        'INPUT_OBJECT',
        'INPUT_FIELD_DEFINITION',
      ],
    });
  });

  it('still answers what only newer tools ask for', async () => {
    const query =
      '{ __type(name: "ObtainJSONWebTokenInput") { isOneOf } __schema { directives(includeDeprecated: true) { isDeprecated } } }';
    const { data, errors } = await resultOf({ query });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ __type: { isOneOf: false } });
  });

  it('is the schema of the mutation, whole', async () => {
    const { data } = (await resultOf({ query: getIntrospectionQuery(options) })) as { data: IntrospectionQuery };
    const sdl = printSchema(buildClientSchema(data)).replaceAll(/"{3}[\s\S]*?"{3}/g, '');
    expect(sdl.replaceAll(/\s+/g, ' ').split(/(?<=\}) /)).toEqual([
      'type Query { isAlive: Boolean! }',
      'type Mutation { obtainPlatformToken(input: ObtainJSONWebTokenInput!): ObtainPlatformJSONWebToken ObtainPlatformToken(input: ObtainJSONWebTokenInput!): ObtainPlatformJSONWebToken }',
      'type ObtainPlatformJSONWebToken { token: String! payload: GenericScalar! refreshToken: String refreshExpiresIn: Int }',
      'scalar GenericScalar input ObtainJSONWebTokenInput { APIKey: String organizationSecretKey: String refreshToken: String }',
    ]);
  });
});
