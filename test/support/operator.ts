/** Calls to the operator interface, and what it left in the audit trail. */
import { env } from 'cloudflare:workers';
import { type Answer, call } from './given';
import { readRows } from './tables';

export const OPERATOR = { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };

export const operate = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call(method, `/operator/v1/${path}`, { headers: OPERATOR, ...(body === undefined ? {} : { body }) });

/** The fields of an answer that the test goes on to use. */
export const fieldsOf = (answer: Answer): Record<string, string> => answer.body as Record<string, string>;

export interface AuditRow {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The audit entries of a subject, oldest first. */
export async function auditOf(subject: string): Promise<AuditRow[]> {
  const results = await readRows<{ actor: string; action: string; subject: string; before: string | null; after: string | null }>(
    'SELECT actor, action, subject, before, after FROM audit_entries WHERE subject = ? ORDER BY id',
    subject,
  );
  return results.map((row) => ({
    ...row,
    before: row.before === null ? undefined : JSON.parse(row.before),
    after: row.after === null ? undefined : JSON.parse(row.after),
  }));
}
