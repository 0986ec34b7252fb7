/** What is answered about account payloads (§4.5, §4.6 and bulk). */
import * as z from 'zod';
import { errorItem, problem, text, validationError } from '../http/answers';
import { lineNumber } from '../http/answers-bulk';

export { bulkDone } from '../http/answers-bulk';

export const warning = z.object({
  detail: problem.shape.detail,
  code: z.enum(['undocumented_field', 'too_many_warnings']),
  attr: text('Dot-delimited path to the field; empty for `too_many_warnings`.'),
});

const warnings = z.array(warning).optional().meta({
  description: 'Fields that are not documented, of more than 100 the first. They are stored as they were sent, and have no effect.',
});

export const validated = z.object({ warnings });

export const accountFailedValidation = z.object({ ...validationError.shape, warnings });

export const empty = z.object({});

export const importProcessError = z.object({ code: problem.shape.code, detail: problem.shape.detail, domain: z.literal('import_process') });

export const alreadyImported = z.object({
  non_field_errors: problem,
  account_id: text('The platform account number of the account that exists.'),
});

export const bulkLine = z.object({
  line: lineNumber,
  external_account_number: z.string().optional(),
  status: z
    .enum(['SCHEDULED', 'VALID', 'INVALID', 'ALREADY_IMPORTED', 'IN_PROGRESS', 'FAILED'])
    .meta({ description: 'FAILED is ours: send the line again.' }),
  errors: z.array(errorItem).optional(),
  warnings,
  account_id: z.string().optional().meta({ description: 'Where ALREADY_IMPORTED: the platform account number.' }),
});
