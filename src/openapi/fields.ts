/**
 * Words for the fields that are sent. Its schema says what a field may hold; this says what it means.
 */
import type { Json } from './json-schema';
import { CODE_PATTERN, FOLDER } from './kinds';

/** By name of the field: its description, or a description and further keywords of JSON Schema. */
export type Words = Readonly<Record<string, string | Json>>;

const PHONE = {
  description: "A number that is valid in the supplier's country, or in international form.",
  examples: ['+44 20 7946 0018', '+61 3 9012 3456'],
};

export const FIELDS: Words = {
  // Every payload
  import_supplier: 'Code of the import supplier; it must be Ongoing.',
  external_account_number:
    "The importer's own account identifier. Compared exactly: case, spaces, Unicode forms and invisible characters count. A byte order mark at its start or end is refused.",
  payload: 'The account, when it is sent beside `task_params` instead of around it.',
  task_params: 'How the import is to be run.',
  is_dry_run: 'Validate and decide as in a real import, store only the outcome.',
  run: 'The run that the account joins, by its name.',
  schedule_window_start: 'Not to be processed before this moment.',
  schedule_window_end: 'Cancelled when not started by this moment.',

  // Account
  unknown_occupier: 'True when nobody is known to live there; excludes `customers`.',
  account_type: 'DOMESTIC when absent.',
  communication_preference: 'ONLINE when absent.',
  language_preference: 'A language tag of BCP 47, for example en-GB.',
  billing_address: 'The structured form. Send this or the lines `billing_address1` to `5`, not both.',
  billing_address1: 'The form in lines; with `billing_postcode`.',
  account_billing_options: 'The billing cycle: how long it is and where it begins.',
  period_length: 'QUARTERLY is three months, MONTHLY one, times `period_length_multiplier`.',
  last_billed_to_date: 'The open statement period begins the day after.',
  transfer_balance: 'What is carried over, credit positive. With `ledgers`, the sum of their balances.',
  last_statement_balance: 'The sum of the historical transactions.',
  last_statement_closing_date: 'Historical transactions lie on or before this day, current ones after it.',
  historical_statement_transactions: 'Already on a statement.',
  current_statement_transactions: 'Not on a statement yet.',
  ledger_balance: '`last_statement_balance` plus the current transactions.',
  ledgers: 'Where an account keeps several balances; each is validated by itself.',
  references: 'Identifiers of other systems, stored with the account.',
  metadata: 'Anything, stored as sent, to the last `null`.',
  supply_addresses: 'Where energy is supplied, with the meter points there.',
  meter_points: 'Each has an `identifier` or an `mpxn`. Further fields are stored as sent.',

  // Customer
  customers: 'The people of the account; absent for an unknown occupier.',
  given_name: 'Given name or family name is needed.',
  family_name: 'Given name or family name is needed.',
  mobile: PHONE,
  landline: PHONE,
  phone_number: PHONE,
  date_of_birth: 'Not in the future.',
  customer_at_supply_address_to_date: 'Inclusive; not before `customer_at_supply_address_from_date`.',
  supply_end_date: 'Inclusive; not before `supply_start_date`.',
  effective_to: 'Inclusive; not before `effective_from`.',
  customer_preferences: 'Named choices, true or false.',

  // Notes
  notes: 'The same note twice is one note.',
  body: 'A note has a `body`, `document_paths`, or both.',
  document_paths: 'Documents of the note, already in the bucket.',
  document_path: { description: "Path below the supplier's documents root.", examples: ['letters/welcome.pdf'] },
  created_at: 'When the note was written; the moment of the request when absent.',
  is_pinned: 'Keeps the note at the top of the account page.',
  unpin_at: 'Later than `created_at`. Has no effect without `is_pinned`.',

  // Transactions
  transaction_id: "The importer's own identifier: one that was added before is skipped.",
  transaction_date: 'For a posted transaction: a day of the open statement period, unless it may be moved there.',
  amount: 'At most 10 whole digits and 2 decimals, as a number of at most 15 significant digits or as a string.',
  reason: 'Required for CHARGE and CREDIT; each type has its own set.',
  display_note: 'The customer sees this.',
  note: 'The customer does not see this.',
  payment_type: 'PAYMENT and REPAYMENT each have their own set.',
  product_code: 'Required for SUPPLY_CHARGE.',
  line_items: 'Required for SUPPLY_CHARGE.',
  rate_band: 'Capital letters, digits and underscores, for example CONSUMPTION_STANDARD.',
  tax_type: 'Capital letters, digits and underscores, for example VAT.',
  end_date: 'Inclusive; not before `start_date`.',

  // Statements
  statement_id: "The importer's own identifier: the same with the same content is stored once.",
  bill_period_to_date: 'Inclusive; not before `bill_period_from_date`.',
  gross_amount: 'In minor units; stored and echoed as sent. A number that a double cannot give back is refused.',
  statement_path: "Path of the PDF below the supplier's documents root, already in the bucket.",

  // Payment instructions
  vendor: 'Who vouches for the instruction.',
  reference: 'At the vendor: the payment method or mandate, never a full card or account number. On a transaction: free.',
  bank_account:
    'Account number and IBAN are cut to their last four characters before anything is stored, and so is every full card number in the instruction; security codes of cards are left out.',
};

/** A tax has an `amount`, too, but of another kind. */
export const TAX_FIELDS: Words = { ...FIELDS, amount: 'The tax itself; keeps its value.' };

/** Here a path is plain text, and any text may be asked about. */
export const DOCUMENT_FIELDS: Words = { ...FIELDS, document_paths: "Paths below the supplier's documents root." };

const OWN_REASONS = {
  items: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{0,63}$' },
  description: 'Further reasons that transactions of this supplier may have.',
};

/** Of the operator interface. */
export const OPERATOR_FIELDS: Words = {
  name: 'For people.',
  label: 'For people: whose key it is.',
  expires_at: 'In the future. Without it the key is good until it is revoked.',
  organisation_id: 'The organisation it belongs to, for good.',
  code: { description: 'Every payload names the supplier by it. Unique in the service. No invisible characters.', pattern: CODE_PATTERN },
  status: 'Ongoing takes accounts; Paused and Complete refuse them.',
  reason: 'Why, for the audit trail. Required to go from Complete back to Ongoing.',
  confirm_pending: 'How many PENDING imports the change to Complete may cancel; with more than that nothing is changed.',
  configuration: { description: 'Merged key by key; `null` leaves a setting as it is.', additionalProperties: false },
  default_country: 'Phone numbers are read by its numbering plan.',
  documents_root: { description: 'The folder of the bucket that document paths are relative to.', ...FOLDER },
  send_customer_emails: 'Kept and shown for the platform; this service sends nothing.',
  extra_charge_reasons: OWN_REASONS,
  extra_credit_reasons: OWN_REASONS,
  vendors: 'The vendors that payment instructions may name; none means all.',
  payload_retention_days: 'After so many days the payload of a finished import is reduced.',
  undo_hours: 'For so many hours after it was imported an account of a run can be taken back; 0: never.',
  event_retention_days: 'So many days the supplier’s events can be read.',
  error_code: 'The code of their latest error.',
};
