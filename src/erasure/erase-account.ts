import { documentKeys, numberedAccount, readNumbered, type WholeAccount } from '../account-reading';
import { auditEntry, auditId, auditValues } from '../audit';
import { commit, query, type Write } from '../db';
import type { Deps } from '../deps';
import { markErased } from '../import-processes';
import { parse } from '../shared/parse';
import { CHANGED, deleteFirst, type Erased } from './erase';
import { erasedFields, erasedStatement, erasedTransaction } from './rules';
import { eraseBody } from './schema';
import {
  auditAccount,
  eraseCustomers,
  eraseEvents,
  eraseInstructions,
  eraseNotes,
  erasePayload,
  eraseStatements,
  eraseTransactions,
  listErased,
} from './store';

/** How often it is read anew because something is added meanwhile. */
const MAX_TRIES = 4;

/** Erases the account with this number or identifier: all at once, and for good. One that is erased is answered as it is. */
export async function eraseAccount(deps: Deps, actor: string, text: string, raw: unknown): Promise<Erased> {
  const { value, errors } = parse(eraseBody, raw);
  if (value === undefined) return { kind: 'invalid', errors };
  const numbered = await numberedAccount(deps, text);
  for (let attempt = 0; numbered && attempt < MAX_TRIES; attempt++) {
    const account = await readNumbered(deps, numbered);
    if (!account) return { kind: 'not_found' };
    const named = account.row.erasedAt === null ? await query(deps.db, documentKeys({ id: numbered.id })) : [];
    const documents = [...new Set(named.map(({ key }) => key))];
    const areDocumentsDeleted = await deleteFirst(deps, value.delete_documents === true, documents);
    const erasedAt =
      account.row.erasedAt ?? (await commitErasure(deps, actor, account, value.reason, documents.length, areDocumentsDeleted));
    if (erasedAt === undefined) continue;
    const { supplierCode, externalAccountNumber } = account.row;
    const { accountNumber } = account;
    return { kind: 'erased', erasure: { supplierCode, externalAccountNumber, accountNumber, erasedAt, documents, areDocumentsDeleted } };
  }
  return numbered ? CHANGED : { kind: 'not_found' };
}

/** Unix milliseconds; undefined if something was added since the account was read. */
async function commitErasure(
  deps: Deps,
  actor: string,
  account: WholeAccount,
  reason: string,
  documents: number,
  areDocumentsDeleted: boolean,
): Promise<number | undefined> {
  const { row, accountNumber } = account;
  const now = deps.now();
  const entry = {
    id: auditId(deps),
    occurredAt: now,
    actor,
    action: 'account.erased',
    subject: `account ${accountNumber}`,
    after: { reason, documents, documents_deleted: areDocumentsDeleted },
  } as const;
  const counted = { transactions: account.transactions.length, statements: account.statements.length, notes: account.notes.length };
  const { supplierId, id } = row;
  const results = await commit(deps.db, [
    auditAccount({ ...auditValues(entry), supplierId, id, accountNumber, ...counted }),
    ...erasing(account, entry.id, now),
    auditEntry({ auditId: entry.id }),
  ]);
  return results.at(-1)?.length ? now : undefined;
}

/** Everything that an erasure writes, in one batch behind its audit entry. What is to be told with it, is told from here. */
function erasing({ row, fields, transactions, statements }: WholeAccount, auditEntryId: number, now: number): Write[] {
  const one = { supplierId: row.supplierId, id: row.id, auditId: auditEntryId };
  return [
    listErased({ ...one, now }),
    eraseCustomers(one),
    eraseNotes(one),
    ...eraseTransactions(
      one,
      transactions.map(({ transactionId, addition, imported }) => ({
        transactionId,
        addition,
        imported: JSON.stringify(erasedTransaction(imported)),
      })),
    ),
    ...eraseStatements(
      one,
      statements.map(({ statementId, content }) => ({ statementId, content: JSON.stringify(erasedStatement(content)) })),
    ),
    eraseInstructions(one),
    eraseEvents(one),
    erasePayload({ ...one, now, body: JSON.stringify(erasedFields(fields ?? {})) }),
    markErased({ ...one, now }),
  ];
}
