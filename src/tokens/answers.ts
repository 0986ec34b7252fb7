/** What is answered to a GraphQL request (§5). */
import * as z from 'zod';
import { text } from '../http/answers';

export const graphqlAnswer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.looseObject({
        message: z.string(),
        extensions: z.looseObject({
          errorType: z.literal('VALIDATION'),
          errorCode: z.string().optional().meta({ description: 'Where a token was refused; see the table of error codes.' }),
          errorDescription: text('The same as `message`.'),
        }),
      }),
    )
    .optional(),
});
