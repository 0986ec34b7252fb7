import { type Statement, statement } from '../db';
import type { Caller } from './token';

/** One row if the caller's API key is in force. Joined by every statement that reads the facts of a request. */
export const activeKey = (caller: Caller): Statement<{ id: string }> =>
  statement(
    'SELECT id FROM api_keys WHERE id = ?1 AND organisation_id = ?2 AND revoked_at IS NULL',
    caller.apiKeyId,
    caller.organisationId,
  );
