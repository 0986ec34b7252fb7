/** The service as an object: one function for each endpoint, and those that save their callers a loop. */
import type { AccountLine, BulkResult, HistoricalStatementsResult, ImportEvent } from './answers';
import { type BulkOptions, bulk, type LinesOptions } from './bulk';
import { additionsInBulk, type BulkAddition } from './bulk-additions';
import { checkCall, type ListDocumentsOptions, listPath, type UploadOptions, upload } from './documents';
import { type EventPage, type EventPageOptions, type EventsOptions, eventsOf, eventsPath } from './events';
import type { BulkTransactionOptions, ListOptions, Many, TransactionOptions, ValidateOptions, WaitOptions } from './options';
import { itemsOf } from './pages';
import { pause } from './retries';
import { Runs, runsPath } from './runs';
import { type Bytes, type Call, type CallOptions, type ClientOptions, jsonIn, Transport } from './transport';
import { Webhooks } from './webhook-calls';
import type {
  AccountImportSummary,
  DocumentsChecked,
  DocumentsCheckRequest,
  HistoricalStatementsRequest,
  ImportProcess,
  ImportProcessStatus,
  ImportSupplier,
  ListedImportProcess,
  ListedRun,
  NoteResult,
  NotesRequest,
  PaymentInstructionRequest,
  PaymentInstructionResult,
  StoredDocument,
  TransactionResults,
  TransactionsRequest,
  TransferStatus,
  ValidationResult,
} from './wire';

const V1 = '/v1/data-import';
const V2 = '/v2/data-import';
const PAGE_SIZE = 1_000;

/**
 * A client of the Account Data-Import Service. It obtains and renews tokens by itself, and tries again what may be tried again:
 * no answer, 429 and 5xx. A refusal rejects with {@link ApiError}, no answer with {@link NoAnswerError}. A body may also be JSON
 * text, which is sent as it is: reading it first would round numbers that only its text says.
 */
export class DataImportClient {
  readonly #transport: Transport;
  /** §13 Webhooks: make, list, change, test, replay, rotate their secrets, remove. */
  readonly webhooks: Webhooks;
  /** §4.19–4.22 Deliveries of accounts: make, hold, release, reconcile, report, cancel. */
  readonly runs: Runs;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.runs = new Runs(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** §5. Checks that the API key opens the service; tokens are otherwise obtained when they are needed. */
  async checkAccess(options: CallOptions = {}): Promise<void> {
    await this.#transport.token(options.signal);
  }

  /** §4.1 One result for each note, in order. */
  addNotes(request: NotesRequest | string, options: CallOptions = {}): Promise<NoteResult[]> {
    return this.#json(post(`${V1}/notes/create/`, request, options));
  }

  /** §4.2 All or nothing. */
  addTransactions(request: TransactionsRequest | string, options: TransactionOptions = {}): Promise<TransactionResults> {
    const { checkPreviouslyAdded = true, forceAddToCurrentStatement = true, ...others } = options;
    const query = `?check_previously_added=${checkPreviouslyAdded}&force_add_to_current_statement=${forceAddToCurrentStatement}`;
    return this.#json({ ...post(`${V1}/transactions/create/${query}`, request, others), isOnce: !checkPreviouslyAdded });
  }

  /** §4.3 */
  addHistoricalStatements(request: HistoricalStatementsRequest | string, options: CallOptions = {}): Promise<HistoricalStatementsResult> {
    return this.#json(post(`${V1}/historical-statements/create/`, request, options));
  }

  /** Adds notes by any number of requests; results come while requests are still being read. Sent again, nothing is doubled. */
  addNotesInBulk(requests: Many<NotesRequest>, options: LinesOptions = {}): AsyncGenerator<BulkAddition<NoteResult[]>> {
    return additionsInBulk(this.#transport, `${V1}/notes/bulk/`, requests, options);
  }

  /** The same of transactions; what had been added before is always looked up. */
  addTransactionsInBulk(
    requests: Many<TransactionsRequest>,
    options: BulkTransactionOptions = {},
  ): AsyncGenerator<BulkAddition<TransactionResults>> {
    const { forceAddToCurrentStatement = true, ...others } = options;
    const path = `${V1}/transactions/bulk/?force_add_to_current_statement=${forceAddToCurrentStatement}`;
    return additionsInBulk(this.#transport, path, requests, others);
  }

  /** The same of historical statements. */
  addHistoricalStatementsInBulk(
    requests: Many<HistoricalStatementsRequest>,
    options: LinesOptions = {},
  ): AsyncGenerator<BulkAddition<HistoricalStatementsResult>> {
    return additionsInBulk(this.#transport, `${V1}/historical-statements/bulk/`, requests, options);
  }

  /** §4.4 */
  addPaymentInstruction(request: PaymentInstructionRequest | string, options: CallOptions = {}): Promise<PaymentInstructionResult> {
    return this.#json(post(`${V1}/payment-instruction/create/`, request, options));
  }

  /** §4.5 Resolves for a valid account; else rejects with an {@link ApiError} whose `errors` are all of them, with `warnings` beside them. */
  validateAccount(account: AccountLine, options: ValidateOptions = {}): Promise<ValidationResult> {
    const { warnings = false, ...others } = options;
    return this.#json(post(`${V2}/accounts/validate/${warnings ? '?warnings=true' : ''}`, account, others));
  }

  /** §4.6 Schedules the account. The same account again changes nothing. */
  async createAccount(account: AccountLine, options: CallOptions = {}): Promise<void> {
    await this.#json(post(`${V2}/accounts/`, account, options));
  }

  /** Validates or schedules any number of accounts; results come while accounts are still being read. */
  bulk(accounts: AsyncIterable<AccountLine> | Iterable<AccountLine>, options: BulkOptions = {}): AsyncGenerator<BulkResult> {
    return bulk(this.#transport, accounts, options);
  }

  /** §4.7 */
  getImportProcess(supplier: string, externalAccountNumber: string, options: CallOptions = {}): Promise<ImportProcess> {
    return this.#json({ ...options, method: 'GET', path: pairPath(supplier, externalAccountNumber) });
  }

  /** Cancels an import that is still PENDING; 409 `invalid_transition` in any other state. */
  async cancelImport(supplier: string, externalAccountNumber: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.request({ ...options, method: 'DELETE', path: pairPath(supplier, externalAccountNumber) }, (answer) =>
      answer.text(),
    );
  }

  /** §4.8 */
  getTransferStatus(supplier: string, externalAccountNumber: string, options: CallOptions = {}): Promise<TransferStatus> {
    const path = `${V1}/account-transfer-status/${encodeURIComponent(supplier)}/${encodeURIComponent(externalAccountNumber)}/`;
    return this.#json({ ...options, method: 'GET', path });
  }

  /** §4.9 Every account of a supplier, in the order of their first create. */
  listAccountImports(supplier: string, options: ListOptions = {}): AsyncGenerator<AccountImportSummary> {
    return this.#list(`${V1}/all-account-import-processes/${encodeURIComponent(supplier)}/`, options);
  }

  /** §4.10 Those without a platform account: waiting, being processed, failed or cancelled. */
  listPendingImports(supplier: string, options: ListOptions = {}): AsyncGenerator<AccountImportSummary> {
    return this.#list(`${V1}/pending-account-import-processes/${encodeURIComponent(supplier)}/`, options);
  }

  /** §4.11 Those with one. */
  listImportedAccounts(supplier: string, options: ListOptions = {}): AsyncGenerator<AccountImportSummary> {
    return this.#list(`${V1}/imported-account-import-processes/${encodeURIComponent(supplier)}/`, options);
  }

  /** §4.14 The organisation's own suppliers by code, each with how far its migration is. */
  listImportSuppliers(options: CallOptions = {}): Promise<ImportSupplier[]> {
    return this.#json({ ...options, method: 'GET', path: `${V2}/import-suppliers/` });
  }

  /** §4.14 Status, counts by status, and since when the oldest PENDING import waits. */
  getImportSupplier(supplier: string, options: CallOptions = {}): Promise<ImportSupplier> {
    return this.#json({ ...options, method: 'GET', path: `${V2}/import-suppliers/${encodeURIComponent(supplier)}/` });
  }

  /** §4.15 Import processes with their latest errors, in one status or all, of one run or all; at most 1,000 a page. */
  listImportProcesses(
    supplier: string,
    options: ListOptions & { readonly status?: ImportProcessStatus; readonly run?: string } = {},
  ): AsyncGenerator<ListedImportProcess> {
    const { status, run, ...others } = options;
    const path = `${V2}/import-processes/${encodeURIComponent(supplier)}/`;
    const ofRun = run === undefined ? '' : `&run=${encodeURIComponent(run)}`;
    return this.#list(path, others, `${status === undefined ? '' : `&status=${status}`}${ofRun}`);
  }

  /** §4.19 The runs of a supplier by their names; at most 1,000 a page. */
  listRuns(supplier: string, options: ListOptions = {}): AsyncGenerator<ListedRun> {
    return this.#list(runsPath(supplier), options);
  }

  /** §4.16 Which of up to 10,000 documents are there. Rejects with `max_length` where they lie too far apart: send fewer at once. */
  checkDocuments(check: DocumentsCheckRequest, options: CallOptions = {}): Promise<DocumentsChecked> {
    return this.#json(checkCall(check, options));
  }

  /**
   * §4.17 Uploads a document of at most 100 MiB, streamed. `isNew` is false where it was there with the same content; 409
   * `document_already_exists` where another one was.
   */
  uploadDocument(
    supplier: string,
    documentPath: string,
    bytes: Bytes,
    options: UploadOptions = {},
  ): Promise<StoredDocument & { readonly isNew: boolean }> {
    return upload(this.#transport, supplier, documentPath, bytes, options);
  }

  /** §4.18 The documents of a supplier, in the order of their paths. */
  listDocuments(supplier: string, options: ListDocumentsOptions = {}): AsyncGenerator<StoredDocument> {
    const { prefix, ...others } = options;
    return this.#list(listPath(supplier), others, prefix === undefined ? '' : `&prefix=${encodeURIComponent(prefix)}`);
  }

  /** §12 One page of what happened under a supplier, the oldest first. 410 `cursor_expired` where events behind the cursor were deleted. */
  getEvents(supplier: string, options: EventPageOptions = {}): Promise<EventPage> {
    const { cursor: _, limit: __, ...others } = options;
    return this.#json({ ...others, method: 'GET', path: eventsPath(supplier, options) });
  }

  /** §12 Every event behind the cursor; with `follow` also what happens from now on. */
  events(supplier: string, options: EventsOptions = {}): AsyncGenerator<ImportEvent, void, void> {
    return eventsOf((page) => this.getEvents(supplier, page), options);
  }

  /** Looks until the import has ended, and answers how. For many accounts {@link listPendingImports} is far cheaper. */
  async waitForImport(supplier: string, externalAccountNumber: string, options: WaitOptions = {}): Promise<ImportProcess> {
    const { pollMilliseconds = 1_000, ...others } = options;
    for (;;) {
      const process = await this.getImportProcess(supplier, externalAccountNumber, others);
      if (process.status !== 'PENDING' && process.status !== 'IN_PROGRESS') return process;
      await pause(pollMilliseconds, options.signal);
    }
  }

  #json<T>(call: Call): Promise<T> {
    return this.#transport.request(call, jsonIn<T>);
  }

  #list<T = AccountImportSummary>(path: string, { pageSize = PAGE_SIZE, ...others }: ListOptions, parameters = ''): AsyncGenerator<T> {
    return itemsOf<T>(this.#transport, { ...others, method: 'GET', path }, `?limit=${pageSize}${parameters}`);
  }
}

const pairPath = (supplier: string, externalAccountNumber: string): string =>
  `${V2}/accounts/${encodeURIComponent(supplier)}/${encodeURIComponent(externalAccountNumber)}/`;

const post = (path: string, body: object | string, options: CallOptions): Call => ({
  ...options,
  method: 'POST',
  path,
  body: { type: 'application/json', text: typeof body === 'string' ? body : JSON.stringify(body) },
});
