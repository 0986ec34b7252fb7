/** What is answered about transactions (§4.2). */
import * as z from 'zod';
import { problem, text, validationError } from '../http/answers';
import { addedLine } from '../http/answers-bulk';
import { TRANSACTION_TYPES } from './schema';

export { bulkDone } from '../http/answers-bulk';

const day = (description: string) => z.string().meta({ format: 'date', description });

const decimal = z.union([z.number(), z.string()]);

export const transactionData = z.object({
  transaction_id: z.string(),
  transaction_date: day('As stored: moved into the open statement period where it was outside of it.'),
  amount: text('With two decimals.'),
  type: z.enum(TRANSACTION_TYPES),
  reason: z.string().optional(),
  display_note: z.string().optional(),
  note: z.string().optional().meta({ description: 'A moved transaction has its original date here.' }),
  reference: z.string().optional(),
  payment_type: z.string().optional(),
  product_code: z.string().optional(),
  line_items: z
    .array(
      z.object({
        rate_band: z.string().optional(),
        start_date: z.string(),
        end_date: z.string(),
        number_of_units: decimal,
        net_amount: decimal,
        price_per_unit: decimal.optional(),
        units: z.array(decimal).optional(),
      }),
    )
    .optional(),
  tax_items: z
    .array(z.object({ amount: decimal, tax_type: z.string(), value_taxed: decimal, rate: decimal, unit_type: z.string() }))
    .optional(),
  status: z.literal('TRANSACTION_IMPORT_SUCCESS').optional().meta({ description: 'On one that had been added before.' }),
});

export const transactionResult = z.object({
  status: z.enum(['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS']),
  transaction_data: transactionData,
  differs: z
    .literal(true)
    .optional()
    .meta({ description: 'On one that had been added before, with other content than was sent now: what was sent now is not stored.' }),
});

export const transactionResults = z.object({ results: z.array(transactionResult) });

export const transactionImportError = z.object({
  status: z.literal('TRANSACTION_IMPORT_ERROR'),
  error_detail: text('Why the first failing transaction was refused.'),
  transaction_data: z.unknown().meta({ description: 'The first failing transaction as it was sent.' }),
  detail: problem.shape.detail,
  code: problem.shape.code,
  errors: validationError.shape.errors,
});

export const transactionLine = addedLine([transactionResults, transactionImportError]);
