/** The wire of §4.4. */
import * as z from 'zod';
import { choice, identifier, requiredLine } from '../shared/fields';

/** The vendors an instruction can be verified with. `SANDBOX` answers only where it is configured. */
export const VENDORS = ['STRIPE', 'GOCARDLESS', 'SANDBOX'] as const;
export type Vendor = (typeof VENDORS)[number];

/** The kinds a vendor can vouch for. */
export const INSTRUCTION_TYPES = ['CARD', 'DIRECT_DEBIT'] as const;
export type InstructionType = (typeof INSTRUCTION_TYPES)[number];

export const paymentInstructionBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  vendor: choice(VENDORS),
  reference: requiredLine(512),
  type: choice(INSTRUCTION_TYPES),
});
