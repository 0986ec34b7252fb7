/** What is answered about import processes (§2.7, §2.8, §3.3). */
import * as z from 'zod';
import { errorItem, instant, problem, text } from '../http/answers';
import { EVENT, STATUSES } from './machine';

export const processStatus = z.enum(STATUSES);

export const latestError = z.object({ code: problem.shape.code, detail: problem.shape.detail, domain: z.literal('import_process') });

export const importProcess = z.object({
  status: processStatus,
  platform_identifier: z.string().nullable().meta({ description: "The account's identifier; null until it is processed." }),
  created_at: instant('The first create; never changes.'),
  modified_at: instant('The latest change.'),
  latest_event: z.object({
    event: z.enum(EVENT),
    occurred_at: instant('When.'),
    data: latestError.nullable(),
  }),
  latest_error: latestError.nullable(),
  errors: z.array(errorItem).optional().meta({ description: 'Where the payload failed validation when it was processed.' }),
});

export const transferStatus = z.object({
  status: z.enum(['UNKNOWN', 'IN_PROGRESS', 'COMPLETED']),
  platform_account_number: text('Empty until the account is created.'),
});

export const summaries = z.array(
  z.object({
    external_account_number: z.string(),
    platform_account_number: z.string().nullable(),
    account_created_at: instant('When the platform account was made.').nullable(),
  }),
);
