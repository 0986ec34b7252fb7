import { auditId, auditValues } from '../audit';
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { shortDigest } from '../shared/digest';
import { numberedAccount } from './read';
import { accountNumbered, auditLook, documentKeys } from './store-changes';

/** A document of the bucket, open. */
export interface OpenDocument {
  readonly name: string;
  readonly mediaType: string | undefined;
  readonly bytes: number;
  readonly body: ReadableStream;
}

/**
 * Opens the first document of an account that is meant, if the account names it and it is there. That it was opened is audited before
 * anything of it is answered.
 */
export async function openDocument(
  deps: Deps,
  actor: string,
  text: string,
  isMeant: (key: string) => boolean,
): Promise<OpenDocument | undefined> {
  const numbered = await numberedAccount(deps, text);
  if (!numbered) return undefined;
  const key = (await query(deps.db, documentKeys({ id: numbered.id }))).map((row) => row.key).find(isMeant);
  const object = key === undefined ? null : await deps.documents.get(key);
  if (key === undefined || !object) return undefined;
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'document.opened',
    subject: `account ${numbered.accountNumber}`,
    // Says which document it was, without its name: a name may be personal data.
    after: { document: shortDigest(key) },
  } as const;
  // The number may be that of no account, though its id is one's.
  const [account] = await commit(deps.db, [accountNumbered(numbered), auditLook({ ...auditValues(entry), ...numbered })]).catch(
    async (error: unknown) => {
      await object.body.cancel();
      throw error;
    },
  );
  if (account.length === 0) {
    await object.body.cancel();
    return undefined;
  }
  return {
    name: key.slice(key.lastIndexOf('/') + 1),
    mediaType: object.httpMetadata?.contentType,
    bytes: object.size,
    body: object.body,
  };
}
