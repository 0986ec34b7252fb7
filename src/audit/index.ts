export { type AuditAction, type AuditEntry, auditId } from './entry';
export { type AuditPage, readAudit } from './feed';
export { AUDITED, type AuditRow, auditWrite } from './store';
