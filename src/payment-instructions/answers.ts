/** What is answered about payment instructions (§4.4). */
import * as z from 'zod';
import { serverError, text, validationError } from '../http/answers';

const sentInstruction = {
  error_detail: text('The first error in words.'),
  import_supplier: z.string().optional(),
  external_account_number: z.string().optional(),
  reference: z.string().optional(),
};

export const paymentInstructionError = z.object({
  ...validationError.shape,
  ...sentInstruction,
  active_payment_instruction: z
    .object({ vendor: z.string(), type: z.string() })
    .optional()
    .meta({ description: 'With `payment_instruction_already_active`: which one is, without its reference.' }),
});

export const vendorUnavailable = z.object({ ...serverError.shape, ...sentInstruction });

export const paymentInstructionStored = z.object({ platform_account_number: z.string(), reference: z.string() });
