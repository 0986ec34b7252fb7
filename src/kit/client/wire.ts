/**
 * What the service takes and answers (§2.3–2.9, §4). Printed from its declared endpoints and shapes by `npm run build`; not edited by hand.
 */

/** `null` means not given, as leaving the field out does (§2.1). */
export type Optional<T> = T | null | undefined;
/** `YYYY-MM-DD`. */
export type IsoDate = string;
/** ISO 8601, for example `2026-01-31T09:30:00Z`; without an offset it is UTC. */
export type IsoDatetime = string;
/** A decimal as a number or as text; text keeps every digit. */
export type Decimal = number | string;

export interface Note {
  body?: Optional<string>;
  document_paths?: Optional<{
    document_path: string;
  }[]>;
  created_at?: Optional<IsoDatetime>;
  is_pinned?: Optional<boolean>;
  unpin_at?: Optional<IsoDatetime>;
}

export interface Transaction {
  transaction_id: string;
  transaction_date: IsoDate;
  amount: Decimal;
  type: 'CHARGE' | 'CREDIT' | 'PAYMENT' | 'REPAYMENT' | 'SUPPLY_CHARGE';
  reason?: Optional<string>;
  display_note?: Optional<string>;
  note?: Optional<string>;
  reference?: Optional<string>;
  payment_type?: Optional<string>;
  product_code?: Optional<string>;
  line_items?: Optional<{
    rate_band?: Optional<string>;
    start_date: IsoDate;
    end_date: IsoDate;
    number_of_units: Decimal;
    net_amount: Decimal;
    price_per_unit?: Optional<Decimal>;
    units?: Optional<Decimal[]>;
  }[]>;
  tax_items?: Optional<{
    amount: Decimal;
    tax_type: string;
    value_taxed: Decimal;
    rate: Decimal;
    unit_type: 'PROPORTION' | 'CURRENCY_PER_KWH';
  }[]>;
}

export interface HistoricalStatement {
  bill_period_from_date: IsoDate;
  bill_period_to_date: IsoDate;
  statement_id: string;
  issued_date?: Optional<IsoDate>;
  number?: Optional<string>;
  gross_amount?: Optional<number>;
  statement_path?: Optional<string>;
}

export interface NotesRequest {
  import_supplier: string;
  external_account_number: string;
  notes: Note[];
}

export interface TransactionsRequest {
  import_supplier: string;
  external_account_number: string;
  transactions: Transaction[];
}

export interface HistoricalStatementsRequest {
  import_supplier: string;
  external_account_number: string;
  statements: HistoricalStatement[];
}

export interface PaymentInstructionRequest {
  import_supplier: string;
  external_account_number: string;
  vendor: 'STRIPE' | 'GOCARDLESS' | 'SANDBOX';
  reference: string;
  type: 'CARD' | 'DIRECT_DEBIT';
}

export interface DocumentsCheckRequest {
  import_supplier: string;
  document_paths: string[];
}

export interface WebhookRequest {
  url: string;
  import_suppliers?: Optional<string[]>;
  types?: Optional<('account_imports.finished' | 'account_imports.cancelled' | 'account_imports.undone' | 'account.erased' | 'notes.added' | 'transactions.added' | 'statements.added' | 'payment_instruction.added' | 'payment_instruction.ended' | 'import_supplier.changed' | 'run.held' | 'run.released' | 'run.finished' | 'run.cancelled' | 'run.undone')[]>;
}

export interface WebhookChange {
  url?: Optional<string>;
  import_suppliers?: Optional<string[]>;
  types?: Optional<('account_imports.finished' | 'account_imports.cancelled' | 'account_imports.undone' | 'account.erased' | 'notes.added' | 'transactions.added' | 'statements.added' | 'payment_instruction.added' | 'payment_instruction.ended' | 'import_supplier.changed' | 'run.held' | 'run.released' | 'run.finished' | 'run.cancelled' | 'run.undone')[]>;
  is_enabled?: Optional<boolean>;
}

export interface Consent {
  type: string;
  value: 'ACCEPTED' | 'REJECTED' | 'UNKNOWN' | 'PENDING';
  signed_at?: Optional<string>;
}

export interface Metadata {
  key: string;
  value: unknown;
}

export interface Address {
  country: string;
  name?: Optional<string>;
  organization?: Optional<string>;
  street_address?: Optional<string>;
  structured_street_address?: Optional<{
    [key: string]: unknown;
  }>;
  dependent_locality?: Optional<string>;
  locality?: Optional<string>;
  administrative_area?: Optional<string>;
  postal_code?: Optional<string>;
  sorting_code?: Optional<string>;
  delivery_point_identifier?: Optional<string>;
}

export interface Customer {
  given_name?: Optional<string>;
  family_name?: Optional<string>;
  email?: Optional<string>;
  mobile?: Optional<string>;
  landline?: Optional<string>;
  alternative_phone_numbers?: Optional<{
    phone_number: string;
  }[]>;
  date_of_birth?: Optional<IsoDate>;
  title?: Optional<string>;
  salutation?: Optional<string>;
  pronouns?: Optional<string>;
  customer_preferences?: Optional<{
    [key: string]: Optional<boolean>;
  }>;
  consents?: Optional<Consent[]>;
  metadata?: Optional<Metadata[]>;
}

export interface MeterPoint {
  identifier?: Optional<string>;
  mpxn?: Optional<string>;
  supply_start_date: IsoDate;
  supply_end_date?: Optional<IsoDate>;
  supply_type?: Optional<string>;
  agreements?: Optional<{
    tariff_code?: Optional<string>;
    effective_from?: Optional<string>;
    effective_to?: Optional<string>;
  }[]>;
  [key: string]: unknown;
}

export interface SupplyAddress {
  supply_address?: Optional<Address>;
  supply_address1?: Optional<string>;
  supply_address2?: Optional<string>;
  supply_address3?: Optional<string>;
  supply_address4?: Optional<string>;
  supply_address5?: Optional<string>;
  supply_postcode?: Optional<string>;
  customer_at_supply_address_from_date: IsoDate;
  customer_at_supply_address_to_date?: Optional<IsoDate>;
  is_landlord?: Optional<boolean>;
  meter_points?: Optional<MeterPoint[]>;
}

export interface AccountPaymentInstruction {
  vendor: string;
  type: 'CARD' | 'DIRECT_DEBIT' | 'BPAY' | 'CUSTOM' | 'PAYMENT_SLIP';
  reference?: Optional<string>;
  valid_from?: Optional<string>;
  card?: Optional<{
    last_digits?: Optional<string>;
    expiry_month?: Optional<number>;
    expiry_year?: Optional<number>;
    [key: string]: unknown;
  }>;
  bank_account?: Optional<{
    account_holder?: Optional<string>;
    account_number?: Optional<string>;
    sort_code?: Optional<string>;
    bsb?: Optional<string>;
    iban?: Optional<string>;
  }>;
}

export interface PaymentSchedule {
  means: 'DD' | 'CARD' | 'MANUAL' | 'PAYMENT_SLIP';
  start_date: IsoDate;
  amount?: Optional<Decimal>;
  frequency?: Optional<'WEEKLY' | 'FORTNIGHTLY' | 'FOUR_WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SIX_MONTHLY' | 'ANNUALLY'>;
  day_of_month?: Optional<number>;
}

export interface Account {
  import_supplier: string;
  external_account_number: string;
  unknown_occupier?: Optional<boolean>;
  account_type?: Optional<'DOMESTIC' | 'BUSINESS' | 'MANAGED' | 'PORTFOLIO_LEAD' | 'DOMESTIC_VACANT' | 'BUSINESS_VACANT' | 'DOMESTIC_OCCUPIER' | 'BUSINESS_OCCUPIER' | 'SYSTEM' | 'DOMESTIC_THIRD_PARTY_BILLED' | 'BUSINESS_THIRD_PARTY_BILLED'>;
  company_name?: Optional<string>;
  company_number?: Optional<string>;
  business_type?: Optional<string>;
  communication_preference?: Optional<'ONLINE' | 'PRINT'>;
  document_accessibility?: Optional<'LARGE_PRINT' | 'BRAILLE' | 'SPOKEN'>;
  language_preference?: Optional<string>;
  date_of_sale?: Optional<IsoDate>;
  sales_channel?: Optional<string>;
  sales_subchannel?: Optional<string>;
  billing_name?: Optional<string>;
  billing_sub_name?: Optional<string>;
  billing_attention_of?: Optional<string>;
  billing_customer_reference?: Optional<string>;
  billing_email?: Optional<string>;
  billing_address?: Optional<Address>;
  billing_address1?: Optional<string>;
  billing_address2?: Optional<string>;
  billing_address3?: Optional<string>;
  billing_address4?: Optional<string>;
  billing_address5?: Optional<string>;
  billing_postcode?: Optional<string>;
  account_billing_options?: Optional<{
    period_length?: Optional<'MONTHLY' | 'QUARTERLY'>;
    period_length_multiplier?: Optional<number>;
    period_start_day?: Optional<number>;
    period_start_month?: Optional<number>;
  }>;
  last_billed_to_date?: Optional<IsoDate>;
  next_bill_due_date?: Optional<IsoDate>;
  transfer_balance?: Optional<Decimal>;
  historical_statement_transactions?: Optional<Transaction[]>;
  current_statement_transactions?: Optional<Transaction[]>;
  last_statement_balance?: Optional<Decimal>;
  last_statement_closing_date?: Optional<IsoDate>;
  last_statement_issue_date?: Optional<IsoDate>;
  ledgers?: Optional<{
    historical_statement_transactions?: Optional<Transaction[]>;
    current_statement_transactions?: Optional<Transaction[]>;
    last_statement_balance?: Optional<Decimal>;
    last_statement_closing_date?: Optional<IsoDate>;
    last_statement_issue_date?: Optional<IsoDate>;
    ledger_balance?: Optional<Decimal>;
  }[]>;
  notes?: Optional<Note[]>;
  statements?: Optional<HistoricalStatement[]>;
  payment_instructions?: Optional<AccountPaymentInstruction[]>;
  payment_schedules?: Optional<PaymentSchedule[]>;
  references?: Optional<{
    namespace: string;
    value: string;
  }[]>;
  metadata?: Optional<Metadata[]>;
  consents?: Optional<Consent[]>;
  supply_addresses?: Optional<SupplyAddress[]>;
  customers?: Optional<Customer[]>;
  task_params?: Optional<{
    is_dry_run?: Optional<boolean>;
    schedule_window_start?: Optional<IsoDatetime>;
    schedule_window_end?: Optional<IsoDatetime>;
    run?: Optional<string>;
  }>;
}

export interface RunSettings {
  is_held?: Optional<boolean>;
  pace_per_minute?: Optional<number>;
  stop_after_errors?: Optional<number>;
  expected?: Optional<{
    accounts?: Optional<number>;
    customers?: Optional<number>;
    notes?: Optional<number>;
    transactions?: Optional<number>;
    transactions_amount?: Optional<Decimal>;
    statements?: Optional<number>;
    payment_instructions?: Optional<number>;
    balance?: Optional<Decimal>;
  }>;
}

export interface ListedAccount {
  external_account_number: string;
  customers?: Optional<number>;
  notes?: Optional<number>;
  transactions?: Optional<number>;
  transactions_amount?: Optional<Decimal>;
  statements?: Optional<number>;
  payment_instructions?: Optional<number>;
  balance?: Optional<Decimal>;
}

export interface ErrorItem {
  /** For a person. The wording may change: do not parse it. */
  readonly detail: string;
  /** For logic: stable over time. See the table of error codes. */
  readonly code: string;
  /** Dot-delimited path to the input that has to change; numbers are zero-based indexes. `customers.0.landline` is the landline of the first customer. */
  readonly attr: string;
}

export interface Warning {
  /** For a person. The wording may change: do not parse it. */
  readonly detail: string;
  readonly code: 'undocumented_field' | 'too_many_warnings';
  /** Dot-delimited path to the field; empty for `too_many_warnings`. */
  readonly attr: string;
}

export interface ValidationResult {
  /** Fields that are not documented, of more than 100 the first. They are stored as they were sent, and have no effect. */
  readonly warnings?: readonly Warning[];
}

export interface NoteResult {
  /** As stored. */
  readonly created_at: IsoDatetime;
  /** As sent; empty for a note of documents only. */
  readonly body: string;
  readonly status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

export interface TransactionData {
  readonly transaction_id: string;
  /** As stored: moved into the open statement period where it was outside of it. */
  readonly transaction_date: IsoDate;
  /** With two decimals. */
  readonly amount: string;
  readonly type: 'CHARGE' | 'CREDIT' | 'PAYMENT' | 'REPAYMENT' | 'SUPPLY_CHARGE';
  readonly reason?: string;
  readonly display_note?: string;
  /** A moved transaction has its original date here. */
  readonly note?: string;
  readonly reference?: string;
  readonly payment_type?: string;
  readonly product_code?: string;
  readonly line_items?: readonly ({
    readonly rate_band?: string;
    readonly start_date: string;
    readonly end_date: string;
    readonly number_of_units: number | string;
    readonly net_amount: number | string;
    readonly price_per_unit?: number | string;
    readonly units?: readonly (number | string)[];
  })[];
  readonly tax_items?: readonly ({
    readonly amount: number | string;
    readonly tax_type: string;
    readonly value_taxed: number | string;
    readonly rate: number | string;
    readonly unit_type: string;
  })[];
  /** On one that had been added before. */
  readonly status?: 'TRANSACTION_IMPORT_SUCCESS';
}

export interface TransactionResult {
  readonly status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';
  readonly transaction_data: TransactionData;
  /** On one that had been added before, with other content than was sent now: what was sent now is not stored. */
  readonly differs?: true;
}

export interface TransactionResults {
  readonly results: readonly TransactionResult[];
}

export interface PaymentInstructionResult {
  readonly platform_account_number: string;
  readonly reference: string;
}

export type ImportProcessStatus = 'PENDING' | 'IN_PROGRESS' | 'PROCESSED' | 'ERRORED' | 'CANCELLED' | 'DRY_RUN_SUCCEEDED' | 'DRY_RUN_ERRORED';

export interface ImportProcessError {
  /** For logic: stable over time. See the table of error codes. */
  readonly code: string;
  /** For a person. The wording may change: do not parse it. */
  readonly detail: string;
  readonly domain: 'import_process';
}

export interface ImportProcess {
  readonly status: ImportProcessStatus;
  /** The account's identifier; null until it is processed. */
  readonly platform_identifier: string | null;
  /** The first create; never changes. */
  readonly created_at: IsoDatetime;
  /** The latest change. */
  readonly modified_at: IsoDatetime;
  readonly latest_event: {
    readonly event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' | 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED' | 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED' | 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED' | 'EVENT_ACCOUNT_IMPORT_PROCESS_DRY_RUN_SUCCEEDED' | 'EVENT_ACCOUNT_IMPORT_PROCESS_UNDONE';
    /** When. */
    readonly occurred_at: IsoDatetime;
    readonly data: ImportProcessError | null;
  };
  readonly latest_error: ImportProcessError | null;
  /** Where the payload failed validation when it was processed. */
  readonly errors?: readonly ErrorItem[];
}

export interface TransferStatus {
  readonly status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED';
  /** Empty until the account is created. */
  readonly platform_account_number: string;
}

export interface AccountImportSummary {
  readonly external_account_number: string;
  readonly platform_account_number: string | null;
  readonly account_created_at: IsoDatetime | null;
}

export interface ImportSupplier {
  readonly import_supplier: string;
  /** Null where a release could not read it. */
  readonly status: 'Ongoing' | 'Paused' | 'Complete' | null;
  /** Import processes by status. */
  readonly counts: {
    readonly PENDING: number;
    readonly IN_PROGRESS: number;
    readonly PROCESSED: number;
    readonly ERRORED: number;
    readonly CANCELLED: number;
    readonly DRY_RUN_SUCCEEDED: number;
    readonly DRY_RUN_ERRORED: number;
  };
  readonly oldest_pending_at: IsoDatetime | null;
  /** Where Paused. */
  readonly paused_since?: IsoDatetime;
}

export interface ListedImportProcess {
  readonly external_account_number: string;
  readonly status: ImportProcessStatus;
  readonly platform_account_number: string | null;
  readonly platform_identifier: string | null;
  /** The latest change. */
  readonly modified_at: IsoDatetime;
  readonly latest_error: ImportProcessError | null;
  /** The run that it is in. */
  readonly run?: string;
  /** Where the payload failed validation when it was processed. */
  readonly errors?: readonly ErrorItem[];
}

export interface DocumentsChecked {
  /** How many of the paths name a document. */
  readonly found: number;
  /** Paths that name none, as sent and in order. */
  readonly missing: readonly string[];
  /** Paths that no document could have, as sent and in order. */
  readonly invalid: readonly string[];
}

export interface StoredDocument {
  /** The path that payloads name. */
  readonly document_path: string;
  /** Bytes. */
  readonly size: number;
  /** Of the store: the MD5 in hex where the document was stored in one piece. */
  readonly etag: string;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Empty: all of the organisation, also those to come. */
  readonly import_suppliers: readonly string[];
  /** Empty: all. */
  readonly types: readonly ('account_imports.finished' | 'account_imports.cancelled' | 'account_imports.undone' | 'account.erased' | 'notes.added' | 'transactions.added' | 'statements.added' | 'payment_instruction.added' | 'payment_instruction.ended' | 'import_supplier.changed' | 'run.held' | 'run.released' | 'run.finished' | 'run.cancelled' | 'run.undone')[];
  readonly state: 'ENABLED' | 'FAILING' | 'DISABLED';
  readonly is_enabled: boolean;
  /** By PATCH, after three days of failures, or by a 410 of the receiver. */
  readonly disabled_reason?: 'importer' | 'failing' | 'gone';
  readonly created_at: IsoDatetime;
  /** For how long events wait; 0 if none does. */
  readonly lag_seconds: number;
  /** The latest event that was taken. */
  readonly delivered_at?: IsoDatetime;
  /** Gone once an event was taken. */
  readonly latest_failure?: {
    readonly at: IsoDatetime;
    /** `status_503`, `time_out`, `network_error`. */
    readonly reason: string;
  };
  /** Until then the secret before this one signs along. */
  readonly previous_secret_until?: IsoDatetime;
}

export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  /** Empty: all of the organisation, also those to come. */
  readonly import_suppliers: readonly string[];
  /** Empty: all. */
  readonly types: readonly ('account_imports.finished' | 'account_imports.cancelled' | 'account_imports.undone' | 'account.erased' | 'notes.added' | 'transactions.added' | 'statements.added' | 'payment_instruction.added' | 'payment_instruction.ended' | 'import_supplier.changed' | 'run.held' | 'run.released' | 'run.finished' | 'run.cancelled' | 'run.undone')[];
  readonly state: 'ENABLED' | 'FAILING' | 'DISABLED';
  readonly is_enabled: boolean;
  /** By PATCH, after three days of failures, or by a 410 of the receiver. */
  readonly disabled_reason?: 'importer' | 'failing' | 'gone';
  readonly created_at: IsoDatetime;
  /** For how long events wait; 0 if none does. */
  readonly lag_seconds: number;
  /** The latest event that was taken. */
  readonly delivered_at?: IsoDatetime;
  /** Gone once an event was taken. */
  readonly latest_failure?: {
    readonly at: IsoDatetime;
    /** `status_503`, `time_out`, `network_error`. */
    readonly reason: string;
  };
  /** Until then the secret before this one signs along. */
  readonly previous_secret_until?: IsoDatetime;
  /** Shown in this answer only; stored nowhere. */
  readonly secret: string;
}

export interface WebhookTried {
  readonly is_taken: boolean;
  /** Why not: `status_503`, `time_out`, `network_error`. */
  readonly reason?: string;
}

export type BulkStatus = 'SCHEDULED' | 'VALID' | 'INVALID' | 'ALREADY_IMPORTED' | 'IN_PROGRESS' | 'FAILED';

export interface BulkLine {
  /** Counted from 1; blank lines are counted but not answered. */
  readonly line: number;
  readonly external_account_number?: string;
  /** FAILED is ours: send the line again. */
  readonly status: BulkStatus;
  readonly errors?: readonly ErrorItem[];
  /** Fields that are not documented, of more than 100 the first. They are stored as they were sent, and have no effect. */
  readonly warnings?: readonly Warning[];
  /** Where ALREADY_IMPORTED: the platform account number. */
  readonly account_id?: string;
}

export interface RunTotals {
  readonly accounts: number;
  readonly customers: number;
  readonly notes: number;
  readonly transactions: number;
  /** With two decimals. */
  readonly transactions_amount: string;
  readonly statements: number;
  readonly payment_instructions: number;
  /** With two decimals. */
  readonly balance: string;
}

export interface DeclaredTotals {
  readonly accounts?: number;
  readonly customers?: number;
  readonly notes?: number;
  readonly transactions?: number;
  /** With two decimals. */
  readonly transactions_amount?: string;
  readonly statements?: number;
  readonly payment_instructions?: number;
  /** With two decimals. */
  readonly balance?: string;
}

export interface ListedRun {
  readonly run: string;
  readonly is_held: boolean;
  /** While it is held: who asked for it, or `errors` where `stop_after_errors` was reached. */
  readonly held_by?: 'importer' | 'errors' | 'cancelled' | 'undone';
  /** What may start: all accounts, the first of them, or none. */
  readonly released: 'all' | 'some' | 'none';
  readonly pace_per_minute?: number;
  readonly stop_after_errors?: number;
  /** ERRORED since the latest release. */
  readonly errors_since_release: number;
  /** Creates refused that named the run; an account that was sent twice counts twice. */
  readonly refused: number;
  /** What was declared. */
  readonly expected: DeclaredTotals;
  readonly created_at: IsoDatetime;
  readonly modified_at: IsoDatetime;
}

export interface Run {
  readonly run: string;
  readonly is_held: boolean;
  /** While it is held: who asked for it, or `errors` where `stop_after_errors` was reached. */
  readonly held_by?: 'importer' | 'errors' | 'cancelled' | 'undone';
  /** What may start: all accounts, the first of them, or none. */
  readonly released: 'all' | 'some' | 'none';
  readonly pace_per_minute?: number;
  readonly stop_after_errors?: number;
  /** ERRORED since the latest release. */
  readonly errors_since_release: number;
  /** Creates refused that named the run; an account that was sent twice counts twice. */
  readonly refused: number;
  /** What was declared. */
  readonly expected: DeclaredTotals;
  readonly created_at: IsoDatetime;
  readonly modified_at: IsoDatetime;
  /** Import processes by status. */
  readonly counts: {
    readonly PENDING: number;
    readonly IN_PROGRESS: number;
    readonly PROCESSED: number;
    readonly ERRORED: number;
    readonly CANCELLED: number;
    readonly DRY_RUN_SUCCEEDED: number;
    readonly DRY_RUN_ERRORED: number;
  };
}

export interface RunDifference {
  readonly field: 'accounts' | 'customers' | 'notes' | 'transactions' | 'transactions_amount' | 'statements' | 'payment_instructions' | 'balance';
  /** Where `found` was counted. */
  readonly in: 'staged' | 'imported';
  readonly expected: number | string;
  readonly found: number | string;
}

export interface Reconciliation {
  /** What was declared. */
  readonly expected: DeclaredTotals;
  readonly staged: RunTotals;
  readonly imported: RunTotals;
  readonly differences: readonly RunDifference[];
  readonly matches: boolean;
}

export interface ComparedAccount {
  /** Of the list, counted from 1; absent for UNEXPECTED. */
  readonly line?: number;
  readonly external_account_number?: string;
  readonly status: 'MISSING' | 'UNEXPECTED' | 'DIFFERENT' | 'INVALID';
  /** Of MISSING: what became of it in this run; null if it is not in it. */
  readonly import_status?: ImportProcessStatus | null;
  readonly differences?: readonly ({
    readonly field: 'accounts' | 'customers' | 'notes' | 'transactions' | 'transactions_amount' | 'statements' | 'payment_instructions' | 'balance';
    readonly expected: number | string;
    readonly found: number | string;
  })[];
  readonly errors?: readonly ErrorItem[];
}
