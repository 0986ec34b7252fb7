/**
 * A GraphQL request as it comes over HTTP (§5). What the document itself may hold is validated in `graphql.ts`.
 */
import * as z from 'zod';

export const graphqlRequest = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});
