/**
 * Who calls, from the `Authorization` header (§5.3): `Token <t>`, `Bearer <t>` or the bare token.
 */

import { query } from '../db';
import type { Deps } from '../deps';
import { signingKeysOf } from './signing-keys';
import { activeKey } from './store';
import { type Caller, verifyToken } from './token';

export type Authentication =
  | { readonly kind: 'authenticated'; readonly caller: Caller }
  | { readonly kind: 'not_authenticated' }
  | { readonly kind: 'authentication_failed' };

export async function authenticate(header: string | undefined, deps: Deps): Promise<Authentication> {
  if (header === undefined || header.trim() === '') return { kind: 'not_authenticated' };
  const parts = header.trim().split(/\s+/);
  const token = parts.length === 1 ? parts[0] : parts.length === 2 && /^(?:token|bearer)$/i.test(parts[0] ?? '') ? parts[1] : undefined;
  if (token === undefined) return { kind: 'authentication_failed' };
  const caller = await verifyToken(token, signingKeysOf(deps), deps.now());
  return caller ? { kind: 'authenticated', caller } : { kind: 'authentication_failed' };
}

/** Reads whether the caller's key is still in force, for answers that need to know nothing else. */
export const isKeyActive = async (deps: Deps, caller: Caller): Promise<boolean> => (await query(deps.db, activeKey(caller))).length > 0;
