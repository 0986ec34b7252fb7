import { AUDITED } from '../audit';
import { type RowOf, type Statement, statement, type Write } from '../db';

export type OrganisationRow = RowOf<'organisations', 'id' | 'name' | 'created_at'>;

export type ApiKeyRow = RowOf<'apiKeys', 'id' | 'organisation_id' | 'label' | 'created_at' | 'last_used_at' | 'revoked_at'>;

const KEY_COLUMNS = 'id, organisation_id, label, created_at, last_used_at, revoked_at';

export const insertOrganisation = (row: OrganisationRow): Write =>
  statement(
    'INSERT INTO organisations (id, name, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING',
    row.id,
    row.name,
    row.created_at,
  );

const ORGANISATIONS = 'SELECT id, name, created_at FROM organisations';

/** By name. */
export const allOrganisations = (): Statement<OrganisationRow> => statement(`${ORGANISATIONS} ORDER BY name, id`);

/** Newest first, after the organisation `cursor`. */
export const organisationPage = (limit: number, cursor: string | undefined): Statement<OrganisationRow> =>
  statement(
    `${ORGANISATIONS} WHERE ?2 IS NULL OR (created_at, id) < (SELECT c.created_at, c.id FROM organisations c WHERE c.id = ?2)
     ORDER BY created_at DESC, id DESC LIMIT ?1`,
    limit,
    cursor ?? null,
  );

export const organisationById = (id: string): Statement<OrganisationRow> => statement(`${ORGANISATIONS} WHERE id = ?`, id);

export const insertApiKey = (auditId: number, row: Omit<ApiKeyRow, 'last_used_at' | 'revoked_at'>, hash: string): Write =>
  statement(
    `INSERT INTO api_keys (id, organisation_id, label, hash, created_at) SELECT ?2, ?3, ?4, ?5, ?6 WHERE ${AUDITED} ON CONFLICT DO NOTHING`,
    auditId,
    row.id,
    row.organisation_id,
    row.label,
    hash,
    row.created_at,
  );

/** Newest first, after the key `cursor`; revoked keys stay in the list. */
export const apiKeyPage = (organisationId: string, limit: number, cursor: string | undefined): Statement<ApiKeyRow> =>
  statement(
    `SELECT ${KEY_COLUMNS} FROM api_keys
     WHERE organisation_id = ?1 AND (?3 IS NULL OR (created_at, id) < (SELECT c.created_at, c.id FROM api_keys c WHERE c.id = ?3))
     ORDER BY created_at DESC, id DESC LIMIT ?2`,
    organisationId,
    limit,
    cursor ?? null,
  );

/** Finds a key of the organisation. */
export const apiKeyNamed = (organisationId: string, id: string): Statement =>
  statement('SELECT 1 FROM api_keys WHERE id = ? AND organisation_id = ?', id, organisationId);

export const apiKeyById = (id: string): Statement<ApiKeyRow> => statement(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = ?1`, id);

/** Finds the key only while it is in force: what the audit entry of a revocation asks. */
export const keyInForce = (id: string): Statement => statement('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at IS NULL', id);

export const revokeKey = (auditId: number, id: string, now: number): Write =>
  statement(`UPDATE api_keys SET revoked_at = ?3 WHERE id = ?2 AND revoked_at IS NULL AND ${AUDITED}`, auditId, id, now);
