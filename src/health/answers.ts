/** What is answered about health. */
import * as z from 'zod';
import { problem, text } from '../http/answers';

export const health = z.object({ status: z.literal('ok') });

const SECRET_REASONS = [
  'signing_key',
  'previous_signing_key',
  'operator_token',
  'platform_token',
  'previous_platform_token',
  'webhook_signing_key',
] as const;

export const ready = z.object({ status: z.literal('ready') });

export const notReady = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  reasons: z.array(
    z.object({
      name: z.enum(['tables', 'write', 'sweep', 'restore', ...SECRET_REASONS]),
      detail: text('What the operator does about it.'),
    }),
  ),
});
