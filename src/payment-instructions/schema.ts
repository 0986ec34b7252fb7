/** The wire of §4.4. */
import * as z from 'zod';
import { choice, identifier, requiredLine } from '../shared/fields';
import { holdsFullNumber } from '../shared/full-numbers';
import { checked } from '../shared/reader';
import { VENDORS } from '../shared/vendors';

/** The vendors an instruction can be verified with. `SANDBOX` answers only where it is configured. */

/** The kinds a vendor can vouch for. */
export const INSTRUCTION_TYPES = ['CARD', 'DIRECT_DEBIT'] as const;
export type InstructionType = (typeof INSTRUCTION_TYPES)[number];

/** No vendor goes by full numbers, and a reference is stored, echoed and part of an address. */
const reference = checked(
  requiredLine(512),
  (text) =>
    holdsFullNumber(text)
      ? { code: 'invalid', detail: "Send the vendor's reference of the instruction, never a full card or account number." }
      : undefined,
  { minLength: 1, maxLength: 512 },
);

export const paymentInstructionBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  vendor: choice(VENDORS),
  reference,
  type: choice(INSTRUCTION_TYPES),
});
