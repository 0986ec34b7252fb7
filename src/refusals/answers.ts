/** What operators are answered about refused creates. */
import * as z from 'zod';
import { moment } from '../http/answers';

export const refusals = z.object({
  refused: z.int().meta({ description: 'Creates refused; an account that was sent twice counts twice.' }),
  refusals: z.array(
    z.object({
      code: z.string().meta({ description: 'The code of the error; `others` for what is beyond the hundred most frequent of a slice.' }),
      attr: z.string().meta({ description: 'Where, with `*` for the index of a list and for a name that is not documented.' }),
      accounts: z.int(),
      examples: z
        .array(z.object({ external_account_number: z.string().nullable(), attr: z.string(), refused_at: moment }))
        .meta({ description: 'The newest first, at most 20.' }),
    }),
  ),
});
