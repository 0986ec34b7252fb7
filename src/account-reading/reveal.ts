import { auditId, auditValues } from '../audit';
import type { Deps } from '../deps';
import { numberedAccount, readNumbered, type WholeAccount } from './read';
import { auditLook } from './store-changes';

/** The account with this number or identifier for eyes that see all of it. That it was looked at is audited, in the batch that reads. */
export async function revealAccount(deps: Deps, actor: string, text: string): Promise<WholeAccount | undefined> {
  const numbered = await numberedAccount(deps, text);
  if (!numbered) return undefined;
  const { id, accountNumber } = numbered;
  const subject = `account ${accountNumber}`;
  const entry = { id: auditId(deps), occurredAt: deps.now(), actor, action: 'account.revealed', subject } as const;
  return readNumbered(deps, numbered, [auditLook({ ...auditValues(entry), id, accountNumber })]);
}
