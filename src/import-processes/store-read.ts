/**
 * The SQL of status reads: one trip, by key.
 */
import { type Statement, statement } from '../db';
import type { Caller } from '../tokens';
import { PROCESS_COLUMNS, type ProcessRow } from './process';

const READ = `SELECT p.id, ${PROCESS_COLUMNS} FROM api_keys k
  LEFT JOIN suppliers s ON s.code = ?3 AND s.organisation_id = k.organisation_id
  LEFT JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = ?4
  WHERE k.id = ?1 AND k.organisation_id = ?2 AND k.revoked_at IS NULL`;

/** No row: the key is revoked. A row without an id: no such process for this caller. */
export const readProcess = (
  caller: Caller,
  supplierCode: string,
  externalAccountNumber: string,
): Statement<(ProcessRow & { id: number }) | { id: null }> =>
  statement(READ, caller.apiKeyId, caller.organisationId, supplierCode, externalAccountNumber);
