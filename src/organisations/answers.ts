/** What is answered about organisations and their API keys. */
import * as z from 'zod';
import { moment } from '../http/answers';

export const organisation = z.object({ id: z.string(), name: z.string(), created_at: moment });

export const organisations = z.array(organisation);

export const newApiKey = z.object({
  id: z.string(),
  api_key: z.string().meta({ description: 'Shown once: only a digest is kept.' }),
  label: z.string(),
  created_at: moment,
});

export const apiKeys = z.array(
  z.object({ id: z.string(), label: z.string(), created_at: moment, last_used_at: moment.optional(), revoked_at: moment.optional() }),
);
