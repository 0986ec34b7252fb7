/** Sends the accounts of a source by the bulk endpoint and says what became of each, in rounds until each is decided. */
import { type BulkResult, type DataImportClient, type ErrorItem, pause } from '../client';
import { accountOf } from './account';
import { UsageError } from './exit';

export interface Sent {
  /** Position in the file, from 0. */
  readonly index: number;
  readonly text: string;
}

export type Outcome =
  | { readonly kind: 'scheduled'; readonly supplier: string; readonly number: string; readonly opensAt: number | undefined }
  | { readonly kind: 'already' }
  | { readonly kind: 'failed'; readonly errors: readonly ErrorItem[] };

export interface SendingOptions {
  readonly client: DataImportClient;
  readonly linesPerRequest: number;
  /** The run that the accounts join. */
  readonly run: string | undefined;
  /** Milliseconds that accounts which the service itself failed are sent again for. */
  readonly patience: number;
  readonly signal: AbortSignal;
  readonly onOutcome: (sent: Sent, outcome: Outcome) => void;
  /** Before another round: how many accounts it has, and why. */
  readonly onRound: (accounts: number, why: string) => void;
}

/** How long an account is sent again whose earlier payload is just being processed. */
const PROCESSING_MILLISECONDS = 60_000;
const ROUND_MILLISECONDS = 2_000;
const CLOSED: Readonly<Record<string, (supplier: string) => string>> = {
  does_not_exist: (supplier) =>
    `There is no import supplier "${supplier}" that this key opens. Compare its code with the one you were given.`,
  import_supplier_paused: (supplier) =>
    `The import supplier "${supplier}" is paused. Run the same command once the platform has resumed it.`,
  import_supplier_complete: (supplier) =>
    `The migration of "${supplier}" is complete: it takes no more accounts. Ask the platform to reopen it.`,
};

/** Rejects with {@link UsageError} as soon as a supplier turns out to take no accounts: nothing in the file is wrong then. */
export async function sendAccounts(records: AsyncIterable<Sent>, options: SendingOptions): Promise<void> {
  let open: Undecided = await sendOnce(records, options);
  const began = Date.now();
  while (open.processing.length + open.failed.length > 0) {
    const waited = Date.now() - began;
    if (waited > PROCESSING_MILLISECONDS)
      decide(open.processing.splice(0), options, 'account_import_process_in_progress', 'Another payload is still being processed.');
    if (waited >= options.patience)
      decide(open.failed.splice(0), options, 'error', 'The service could not take this account. Send it again.');
    const again = [...open.processing, ...open.failed];
    if (again.length === 0) return;
    options.onRound(again.length, open.failed.length > 0 ? 'which the service failed to take' : 'whose earlier payload is being processed');
    await pause(ROUND_MILLISECONDS, options.signal);
    open = await sendOnce(again, options);
  }
}

interface Undecided {
  readonly processing: Sent[];
  readonly failed: Sent[];
}

function decide(accounts: readonly Sent[], { onOutcome }: SendingOptions, code: string, detail: string): void {
  for (const sent of accounts) onOutcome(sent, { kind: 'failed', errors: [{ code, attr: '', detail }] });
}

async function sendOnce(records: AsyncIterable<Sent> | Iterable<Sent>, options: SendingOptions): Promise<Undecided> {
  const undecided: Undecided = { processing: [], failed: [] };
  const open = new Map<number, Sent>();
  async function* texts() {
    let position = 0;
    for await (const sent of records) {
      open.set(position++, sent);
      yield sent.text;
    }
  }
  const { client, linesPerRequest, run, signal, onOutcome } = options;
  for await (const { index: position, ...result } of client.bulk(texts(), {
    signal,
    linesPerRequest,
    ...(run === undefined ? {} : { run }),
  })) {
    const sent = open.get(position);
    if (!sent) continue;
    open.delete(position);
    const outcome = outcomeOf(result, sent);
    if (outcome === 'processing' || outcome === 'failed') undecided[outcome].push(sent);
    else onOutcome(sent, outcome);
  }
  return undecided;
}

function outcomeOf(result: Omit<BulkResult, 'index'>, { text }: Sent): Outcome | 'processing' | 'failed' {
  const { status, external_account_number: number, errors, account_id } = result;
  if (status === 'IN_PROGRESS') return 'processing';
  if (status === 'ALREADY_IMPORTED' || account_id !== undefined) return { kind: 'already' };
  const account = accountOf(text);
  if (status === 'SCHEDULED' && number !== undefined) {
    return { kind: 'scheduled', supplier: account?.supplier ?? '', number, opensAt: account?.opensAt };
  }
  if (!errors?.length) return 'failed';
  checkSupplier(errors, account?.supplier);
  return { kind: 'failed', errors };
}

/** Throws {@link UsageError} where the errors of a result say that its supplier takes no accounts at all. */
export function checkSupplier(errors: readonly ErrorItem[], supplier: string | undefined): void {
  for (const { code, attr } of errors) {
    const words = attr === 'import_supplier' && Object.hasOwn(CLOSED, code) ? CLOSED[code] : undefined;
    if (words) throw new UsageError(words(supplier ?? ''));
  }
}
