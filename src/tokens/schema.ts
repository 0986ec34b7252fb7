/**
 * A GraphQL request as it comes over HTTP (§5). What the document itself may hold is judged in `graphql.ts`.
 */
import * as z from 'zod';
import { compiled } from '../shared/parse';

export const graphqlRequest = compiled(
  z.object({
    query: z.string(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().nullish(),
  }),
);
