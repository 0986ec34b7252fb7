/**
 * Bodies of imported accounts cut down to what the accounts keep of them, once their retention has passed.
 */
import { query } from '../../db';
import type { Deps } from '../../deps';
import { payloadRows } from '../create/store';
import { accountDocument } from './document';

/** The documents by account, in one trip. A body that cannot be read is not among them: it stays whole, and the log says so. */
export async function documentsOf(
  deps: Deps,
  db: D1Database,
  accounts: readonly { readonly id: number; readonly body: string }[],
): Promise<Map<number, string>> {
  const documents = new Map<number, string>();
  if (accounts.length === 0) return documents;
  const rows = new Map((await query(db, payloadRows(accounts.map(({ id }) => id)))).map((row) => [row.id, row]));
  for (const { id, body } of accounts) {
    const row = rows.get(id);
    const { hasAllFields, ...counts } = row ?? NO_ROWS;
    const document = accountDocument(body, { ...counts, haveAllFields: hasAllFields === 1 });
    if (row && document !== undefined) documents.set(id, document);
    else deps.log.error('payload_unreadable', new Error('the payload of an account stays whole'), { process_id: id });
  }
  return documents;
}

const NO_ROWS = { hasAllFields: 0, customers: 0, notes: 0, transactions: 0, statements: 0, paymentInstructions: 0 };
