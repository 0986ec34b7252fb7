/**
 * The account payload (§4.5): validate, create, bulk and the consumer read the same one.
 */
import * as z from 'zod';
import { noteItem } from '../notes/pure';
import {
  amount,
  boolean,
  date,
  datetime,
  email,
  identifier,
  integer,
  language,
  line,
  optional,
  optionalChoice,
  requiredLine,
} from '../shared/fields';
import type { Draft, Given } from '../shared/parse';
import { flag } from '../shared/query';
import { statementItem } from '../statements/pure';
import { transactionItem } from '../transactions/pure';
import { address, addressLine, consentItem, many, metadataItem } from './payload/schema-common';
import { customerItem } from './payload/schema-customers';
import { payloadInstructionItem, paymentScheduleItem } from './payload/schema-payments';
import { supplyAddressItem } from './payload/schema-supply';

const ACCOUNT_TYPES = [
  'DOMESTIC',
  'BUSINESS',
  'MANAGED',
  'PORTFOLIO_LEAD',
  'DOMESTIC_VACANT',
  'BUSINESS_VACANT',
  'DOMESTIC_OCCUPIER',
  'BUSINESS_OCCUPIER',
  'SYSTEM',
  'DOMESTIC_THIRD_PARTY_BILLED',
  'BUSINESS_THIRD_PARTY_BILLED',
] as const;

/** Cycles longer than a century would put the end of a statement period beyond the calendar. */
const MAX_CYCLE_MULTIPLIER = 1_200;

/** How the import is to be run, beside the account itself. */
const taskParams = z.object({
  is_dry_run: optional(boolean),
  schedule_window_start: optional(datetime),
  schedule_window_end: optional(datetime),
  run: optional(line(64)),
});

/** The two lists of transactions and the balances and dates they are validated by: of the account, or of one ledger. */
const transactionLists = {
  historical_statement_transactions: many(transactionItem),
  current_statement_transactions: many(transactionItem),
  last_statement_balance: optional(amount),
  last_statement_closing_date: optional(date),
  last_statement_issue_date: optional(date),
};

export const accountBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  unknown_occupier: optional(boolean),
  account_type: optionalChoice(ACCOUNT_TYPES),
  company_name: optional(line(255)),
  company_number: optional(line(100)),
  business_type: optional(line(64)),
  communication_preference: optionalChoice(['ONLINE', 'PRINT']),
  document_accessibility: optionalChoice(['LARGE_PRINT', 'BRAILLE', 'SPOKEN']),
  language_preference: optional(language),
  date_of_sale: optional(date),
  sales_channel: optional(line(64)),
  sales_subchannel: optional(line(255)),
  billing_name: optional(line(510)),
  billing_sub_name: optional(line(256)),
  billing_attention_of: optional(line(256)),
  billing_customer_reference: optional(line(256)),
  billing_email: optional(email(254)),
  billing_address: optional(address),
  billing_address1: addressLine,
  billing_address2: addressLine,
  billing_address3: addressLine,
  billing_address4: addressLine,
  billing_address5: addressLine,
  billing_postcode: addressLine,
  account_billing_options: optional(
    z.object({
      period_length: optionalChoice(['MONTHLY', 'QUARTERLY']),
      period_length_multiplier: optional(integer(1, MAX_CYCLE_MULTIPLIER)),
      period_start_day: optional(integer(1, 28)),
      period_start_month: optional(integer(1, 12)),
    }),
  ),
  last_billed_to_date: optional(date),
  next_bill_due_date: optional(date),
  transfer_balance: optional(amount),
  ...transactionLists,
  ledgers: many(z.object({ ...transactionLists, ledger_balance: optional(amount) })),
  notes: many(noteItem),
  statements: many(statementItem),
  payment_instructions: many(payloadInstructionItem),
  payment_schedules: many(paymentScheduleItem),
  references: many(z.object({ namespace: requiredLine(50), value: requiredLine(100) })),
  metadata: many(metadataItem),
  consents: many(consentItem),
  supply_addresses: many(supplyAddressItem),
  customers: many(customerItem),
  task_params: optional(taskParams),
});

export type AccountDraft = Draft<z.output<typeof accountBody>>;
/** An account whose every field is right. */
export type Account = Given<z.output<typeof accountBody>>;

/** The query of validate. */
export const validateQuery = z.object({ warnings: flag });

/** The query of bulk: `run` is that of each line that names none itself. */
export const bulkQuery = z.object({ mode: z.enum(['create', 'validate']).optional(), run: z.string().min(1).max(64).optional() });
