/** What is answered about tokens of operators. */
import * as z from 'zod';
import { moment } from '../../http/answers';
import { ROLES } from './rules';

const operatorToken = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  last_four: z.string(),
  created_at: moment,
});

export const newOperatorToken = operatorToken.extend({ token: z.string().meta({ description: 'Shown once: only a digest is stored.' }) });

export const operatorTokens = z.array(operatorToken.extend({ revoked_at: moment.optional() }));
