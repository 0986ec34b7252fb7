import { checkAccount } from '../accounts';
import { auditEntry, auditId, auditValues } from '../audit';
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { keysOf } from '../documents';
import { cancelProcess, markErased, statusOf } from '../import-processes';
import { parseExactly } from '../shared/literals';
import { parse } from '../shared/parse';
import { supplierIn, UNREADABLE } from '../suppliers';
import { CHANGED, deleteFirst, type Erased } from './erase';
import { eraseBody } from './schema';
import { auditProcess, eraseEvents, erasePayload, type ProcessRow, processOfPair } from './store';

/** Erases what was never imported. One that is PENDING is cancelled with it; one that is erased is answered as it is. */
export async function eraseProcess(
  deps: Deps,
  actor: string,
  supplierCode: string,
  externalAccountNumber: string,
  raw: unknown,
): Promise<Erased> {
  const { value, errors } = parse(eraseBody, raw);
  if (value === undefined) return { kind: 'invalid', errors };
  const db = deps.databaseOf(supplierCode);
  const [row] = await query(db, processOfPair({ code: supplierCode, externalAccountNumber }));
  if (!row) return { kind: 'not_found' };
  const pair = { supplierCode, externalAccountNumber, accountNumber: null };
  const status = statusOf(row.status);
  if (status === 'PROCESSED') return { kind: 'refused', detail: 'It was imported: erase its account.' };
  if (row.erasedAt !== null)
    return { kind: 'erased', erasure: { ...pair, erasedAt: row.erasedAt, documents: [], areDocumentsDeleted: false } };
  if (status === 'IN_PROGRESS') return { kind: 'refused', detail: 'It is being imported. Erase it, or its account, when that has ended.' };
  const documents = documentsOf(row, deps.now());
  const areDocumentsDeleted = await deleteFirst(deps, value.delete_documents === true, documents);
  const now = deps.now();
  const entry = {
    id: auditId(deps),
    occurredAt: now,
    actor,
    action: 'import_process.erased',
    subject: `import process ${supplierCode} ${externalAccountNumber}`,
    before: { status },
    after: { reason: value.reason, documents: documents.length, documents_deleted: areDocumentsDeleted },
  } as const;
  const one = { supplierId: row.supplier.id, id: row.id, auditId: entry.id };
  const results = await commit(db, [
    auditProcess({ ...auditValues(entry), supplierId: one.supplierId, id: one.id }),
    ...cancelProcess(one.supplierId, externalAccountNumber, now),
    erasePayload({ ...one, now, body: '' }),
    eraseEvents(one),
    markErased({ ...one, now }),
    auditEntry({ auditId: entry.id }),
  ]);
  return results.at(-1)?.length ? { kind: 'erased', erasure: { ...pair, erasedAt: now, documents, areDocumentsDeleted } } : CHANGED;
}

/** The keys that its payload names. Throws where the supplier cannot be read: then nobody knows where its documents are. */
function documentsOf({ supplier: fields, body }: ProcessRow, now: number): string[] {
  if (body === '') return [];
  const supplier = supplierIn(fields);
  if (!supplier || supplier === UNREADABLE) throw new Error(`supplier ${fields.id} cannot be read`);
  const { documentPaths } = checkAccount(parseExactly(body), supplier, now);
  return [...new Set(keysOf(supplier.configuration.documents_root, documentPaths))];
}
