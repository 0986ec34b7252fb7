/** What is answered about how far a migration is (§4.14, §4.15). */
import * as z from 'zod';
import { errorItem, instant } from '../http/answers';
import { latestError, processStatus } from '../import-processes/answers';
import { STATUSES } from '../import-processes/pure';
import { SUPPLIER_STATUSES } from '../suppliers';

export const supplierProgress = z.object({
  import_supplier: z.string(),
  status: z.enum(SUPPLIER_STATUSES).nullable().meta({ description: 'Null where a release could not read it.' }),
  counts: z.object(Object.fromEntries(STATUSES.map((status) => [status, z.int()]))).meta({ description: 'Import processes by status.' }),
  oldest_pending_at: instant('Since when the oldest that is PENDING waits; null if none is.').nullable(),
  paused_since: instant('Where Paused.').optional(),
});

export const supplierProgresses = z.array(supplierProgress);

export const listedProcess = z.object({
  external_account_number: z.string(),
  status: processStatus,
  platform_account_number: z.string().nullable(),
  platform_identifier: z.string().nullable(),
  modified_at: instant('The latest change.'),
  latest_error: latestError.nullable(),
  run: z.string().optional().meta({ description: 'The run that it is in.' }),
  errors: z.array(errorItem).optional().meta({ description: 'Where the payload failed validation when it was processed.' }),
});

export const listedProcesses = z.array(listedProcess);
