export { type AuditAction, auditId } from './entry';
export { readAudit } from './feed';
export { AUDITED, type AuditRow, auditedAs, auditWrite, isAudited } from './store';
