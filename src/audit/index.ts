export { type AuditAction, type AuditEntry, auditId } from './entry';
export { readAudit } from './feed';
export { readFilter } from './filter';
export { type AuditRow, type AuditValues, auditEntry, auditing, auditValues, auditWrite, isAudited } from './store';
