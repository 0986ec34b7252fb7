/** Every described endpoint, in the order of the reference. */
import { ACCOUNT_READING } from '../account-reading/reference';
import { ACCOUNTS } from '../accounts/reference';
import { AUDIT } from '../audit/reference';
import { DOCUMENTS } from '../documents/reference';
import { ERASURE } from '../erasure/reference';
import { EVENTS } from '../events/reference';
import { HEALTH } from '../health/reference';
import { IMPORT_PROCESSES } from '../import-processes/reference';
import { NOTES } from '../notes/reference';
import { ALERTS } from '../operator/alerts/reference';
import { QUEUE } from '../operator/health/reference';
import { OPERATOR_PROCESSES } from '../operator/processes/reference';
import { RESTORES } from '../operator/restores/reference';
import { OPERATOR_SUPPLIERS } from '../operator/suppliers/reference';
import { OPERATOR_TOKENS } from '../operator/tokens/reference';
import { ORGANISATIONS } from '../organisations/reference';
import { PAGES } from '../pages/reference';
import { PAYMENT_INSTRUCTIONS } from '../payment-instructions/reference';
import { PLATFORM } from '../platform/reference';
import { PROGRESS } from '../progress/reference';
import type { Operation } from '../reference/operation';
import { REFUSALS } from '../refusals/reference';
import { OPERATOR_RUNS, RUNS } from '../runs/reference';
import { STATEMENTS } from '../statements/reference';
import { TOKENS } from '../tokens/reference';
import { TRANSACTIONS } from '../transactions/reference';
import { WEBHOOKS } from '../webhooks/reference';

export const OPERATIONS: readonly Operation[] = [
  ...NOTES,
  ...TRANSACTIONS,
  ...STATEMENTS,
  ...PAYMENT_INSTRUCTIONS,
  ...ACCOUNTS,
  ...IMPORT_PROCESSES,
  ...PROGRESS,
  ...DOCUMENTS,
  ...RUNS,
  ...TOKENS,
  ...HEALTH,
  ...PAGES,
  ...ORGANISATIONS,
  ...OPERATOR_SUPPLIERS,
  ...OPERATOR_TOKENS,
  ...ALERTS,
  ...OPERATOR_PROCESSES,
  ...OPERATOR_RUNS,
  ...QUEUE,
  ...RESTORES,
  ...AUDIT,
  ...ACCOUNT_READING,
  ...ERASURE,
  ...REFUSALS,
  ...PLATFORM,
  ...EVENTS,
  ...WEBHOOKS,
];
