/**
 * What introspection shows of GraphQL itself: the specification of October 2021. The library knows more than that, and some
 * readers refuse a schema for one directive location that they do not know.
 */
import {
  __Field,
  __Type,
  DirectiveLocation,
  GraphQLDeprecatedDirective,
  GraphQLDirective,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  GraphQLSpecifiedByDirective,
} from 'graphql';

const deprecated = GraphQLDeprecatedDirective.toConfig();

/** All but `@oneOf`, which nothing here uses; `@deprecated` without the place that only directives have. */
export const DIRECTIVES: readonly GraphQLDirective[] = [
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  new GraphQLDirective({
    ...deprecated,
    locations: deprecated.locations.filter((location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION),
  }),
  GraphQLSpecifiedByDirective,
];

/** Later than October 2021: `type.field`, `enum.value` or `field.argument`. Who asks for one of them is still answered. */
const LATER = new Set([
  '__Type.isOneOf',
  '__Directive.isDeprecated',
  '__Directive.deprecationReason',
  '__DirectiveLocation.DIRECTIVE_DEFINITION',
  'directives.includeDeprecated',
]);

/** Leaves what is later out of the lists that introspection answers. The library has one set of these types for all schemas. */
export function hideLaterParts(): void {
  const { fields, enumValues } = __Type.getFields();
  for (const list of [fields, enumValues, __Field.getFields()['args']]) {
    const answer = list?.resolve;
    if (!list || !answer) throw new Error('the library has other introspection types than it had');
    list.resolve = (owner: { readonly name: string }, ...rest) => {
      const items: unknown = answer(owner, ...rest);
      return Array.isArray(items) ? items.filter(({ name }: { name: string }) => !LATER.has(`${owner.name}.${name}`)) : items;
    };
  }
}
