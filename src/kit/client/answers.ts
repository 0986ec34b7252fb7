/** What the service answers (§2.3–2.9, §4, and the bulk endpoint). */
import type { Account, HistoricalStatementsRequest, Transaction } from './wire';

/** §2.9: one offending input. Decide by `code`; the wording of `detail` may change. */
export interface ErrorItem {
  readonly detail: string;
  readonly code: string;
  /** Dot-delimited path to the input; numbers are zero-based indexes. */
  readonly attr: string;
}

/** A field that is not documented: it is stored as it was sent, and has no effect. */
export type Warning = ErrorItem;

/** §4.5: the answer to an account that is valid. */
export interface ValidationResult {
  /** Where they were asked for. */
  readonly warnings?: readonly Warning[];
}

export interface NoteResult {
  readonly created_at: string;
  /** As sent; empty for a note of documents only. */
  readonly body: string;
  readonly status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

export interface TransactionResult {
  readonly status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';
  /** As stored: the moved date if it was moved, and `amount` as text with two decimals. */
  readonly transaction_data: Omit<Transaction, 'amount'> & { readonly amount: string; readonly status?: string };
  /** The one that exists was imported with other content: what was sent now is not stored. */
  readonly differs?: true;
}

export interface TransactionResults {
  readonly results: readonly TransactionResult[];
}

/** §4.3: the validated data. */
export type HistoricalStatementsResult = HistoricalStatementsRequest;

export interface PaymentInstructionResult {
  readonly platform_account_number: string;
  readonly reference: string;
}

/** §3.2 */
export type ImportProcessStatus =
  | 'PENDING'
  | 'IN_PROGRESS'
  | 'PROCESSED'
  | 'CANCELLED'
  | 'DRY_RUN_SUCCEEDED'
  | 'DRY_RUN_ERRORED'
  | 'ERRORED';

export interface ImportProcessError {
  readonly code: string;
  readonly detail: string;
  readonly domain: string;
}

/** §2.7 */
export interface ImportProcess {
  readonly status: ImportProcessStatus;
  readonly platform_identifier: string | null;
  readonly created_at: string;
  readonly modified_at: string;
  readonly latest_event: { readonly event: string; readonly occurred_at: string; readonly data: ImportProcessError | null };
  readonly latest_error: ImportProcessError | null;
  /** Only after a validation that failed while the account was being created. */
  readonly errors?: readonly ErrorItem[];
}

/** §3.3, §4.8 */
export interface TransferStatus {
  readonly status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED';
  /** Empty until there is an account. */
  readonly platform_account_number: string;
}

/** §2.8 */
export interface AccountImportSummary {
  readonly external_account_number: string;
  readonly platform_account_number: string | null;
  readonly account_created_at: string | null;
}

/** §4.14: how far the migration of a supplier is. */
export interface ImportSupplier {
  readonly import_supplier: string;
  readonly status: 'Ongoing' | 'Paused' | 'Complete' | null;
  readonly counts: Readonly<Record<ImportProcessStatus, number>>;
  /** Null if nothing is PENDING. */
  readonly oldest_pending_at: string | null;
  /** Where it is Paused. */
  readonly paused_since?: string;
}

/** §4.15 */
export interface ListedImportProcess {
  readonly external_account_number: string;
  readonly status: ImportProcessStatus;
  readonly platform_account_number: string | null;
  readonly platform_identifier: string | null;
  readonly modified_at: string;
  readonly latest_error: ImportProcessError | null;
  /** Only after a validation that failed while the account was being created. */
  readonly errors?: readonly ErrorItem[];
}

/** §4.16 */
export interface DocumentsChecked {
  /** How many of the paths name a document. */
  readonly found: number;
  /** Paths that name none, as sent and in order. */
  readonly missing: readonly string[];
  /** Paths that no document could have. */
  readonly invalid: readonly string[];
}

/** §4.17, §4.18: a document of the bucket. */
export interface StoredDocument {
  /** The path that payloads name. */
  readonly document_path: string;
  /** Bytes. */
  readonly size: number;
  /** The MD5 in hex where the document was stored in one piece. */
  readonly etag: string;
}

/** What became of one line of a bulk request. */
export type BulkStatus = 'SCHEDULED' | 'VALID' | 'INVALID' | 'ALREADY_IMPORTED' | 'IN_PROGRESS' | 'FAILED';

export interface BulkResult {
  readonly status: BulkStatus;
  /** Absent where the line has none that is well-formed. */
  readonly external_account_number?: string;
  /** All errors of an INVALID line. */
  readonly errors?: readonly ErrorItem[];
  /** Absent where there are none. */
  readonly warnings?: readonly Warning[];
  /** The platform account number, where the account is ALREADY_IMPORTED. */
  readonly account_id?: string;
  /** Position of the account in what was given, from 0. */
  readonly index: number;
}

/** An account as an object, or as the JSON text it is sent as. */
export type AccountLine = Account | string;
