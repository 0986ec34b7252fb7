/**
 * What a GraphQL document may hold: one operation, one mutation field, bounded depth, aliases and size. Pure.
 */
import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Lexical tokens of a document. */
export const MAX_TOKENS = 1_000;
const MAX_DEPTH = 15;
const MAX_ALIASES = 10;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const document =
  (rule: (document: DocumentNode, fragments: Fragments, context: ValidationContext) => void): ValidationRule =>
  (context): ASTVisitor => ({
    Document: (node) => {
      const fragments = new Map<string, FragmentDefinitionNode>();
      for (const part of node.definitions) if (part.kind === Kind.FRAGMENT_DEFINITION) fragments.set(part.name.value, part);
      rule(node, fragments, context);
    },
  });

const oneOperation = document(({ definitions }, _, context) => {
  const [, ...others] = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (others.length > 0) context.reportError(new GraphQLError('Send one operation in a request.', { nodes: others }));
});

const oneMutationField = document(({ definitions }, fragments, context) => {
  for (const part of definitions) {
    if (part.kind !== Kind.OPERATION_DEFINITION || part.operation !== 'mutation') continue;
    if (countFields(part.selectionSet, fragments, new Set()) > 1)
      context.reportError(new GraphQLError('Ask for one token in a request.', { nodes: part }));
  }
});

const boundedDepth = document(({ definitions }, fragments, context) => {
  const depths = new Map<string, number>();
  for (const part of definitions) {
    if (part.kind === Kind.OPERATION_DEFINITION && depthOf(part.selectionSet, fragments, depths) > MAX_DEPTH)
      context.reportError(new GraphQLError(`The request is nested deeper than ${MAX_DEPTH} levels.`, { nodes: part }));
  }
});

const boundedAliases: ValidationRule = (context) => {
  let aliases = 0;
  return {
    Field: (node) => {
      if (node.alias && ++aliases === MAX_ALIASES + 1)
        context.reportError(new GraphQLError(`The request has more than ${MAX_ALIASES} aliases.`, { nodes: node }));
    },
  };
};

export const limits: readonly ValidationRule[] = [oneOperation, oneMutationField, boundedDepth, boundedAliases];

/** Fields of a selection, through fragments. `__typename` costs nothing and is not counted. */
function countFields(set: SelectionSetNode, fragments: Fragments, open: Set<string>): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count += selection.name.value === '__typename' ? 0 : 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT) count += countFields(selection.selectionSet, fragments, open);
    else {
      const fragment = fragments.get(selection.name.value);
      // A fragment is opened once: spread again it merges with itself, and a cycle is another rule's error.
      if (!fragment || open.has(selection.name.value)) continue;
      open.add(selection.name.value);
      count += countFields(fragment.selectionSet, fragments, open);
    }
  }
  return count;
}

/** Nesting of fields, through fragments. Each fragment is measured once, so the work is linear in the document. */
function depthOf(set: SelectionSetNode, fragments: Fragments, depths: Map<string, number>): number {
  let deepest = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      deepest = Math.max(deepest, 1 + (selection.selectionSet ? depthOf(selection.selectionSet, fragments, depths) : 0));
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      deepest = Math.max(deepest, depthOf(selection.selectionSet, fragments, depths));
    } else {
      const name = selection.name.value;
      const fragment = fragments.get(name);
      if (fragment && !depths.has(name)) {
        depths.set(name, 0);
        depths.set(name, depthOf(fragment.selectionSet, fragments, depths));
      }
      deepest = Math.max(deepest, depths.get(name) ?? 0);
    }
  }
  return deepest;
}
