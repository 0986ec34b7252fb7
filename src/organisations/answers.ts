/** What is answered about organisations and their API keys. */
import * as z from 'zod';
import { moment } from '../http/answers';

export const organisation = z.object({
  id: z.string(),
  name: z.string(),
  is_test: z.boolean().meta({ description: 'True for one whose API keys begin with `sk_test_`.' }),
  created_at: moment,
});

export const organisations = z.array(organisation);

const apiKey = z.object({
  id: z.string(),
  label: z.string(),
  last_four: z.string().optional().meta({ description: 'The last four characters of the key; absent for keys of an earlier release.' }),
  is_read_only: z.boolean(),
  created_at: moment,
  expires_at: moment.optional(),
});

export const newApiKey = apiKey.extend({ api_key: z.string().meta({ description: 'Shown once: only a digest is stored.' }) });

export const apiKeys = z.array(apiKey.extend({ last_used_at: moment.optional(), revoked_at: moment.optional() }));
