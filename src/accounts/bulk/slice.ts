/**
 * One slice of a bulk request: each line is read, checked and dropped by itself, and what is right is stored in one trip. A bad line
 * never touches another. What is held is bounded whatever the lines say: their bytes, the account of one line (of a few where
 * documents are looked up), what is to be stored, and answers up to a limit.
 */
import { type Answered, type Decided, type Line, SliceAnswers, Turns } from '../../bulk';
import type { Deps } from '../../deps';
import { keysOf, lookUpDocuments, MAX_DOCUMENT_PATHS } from '../../documents';
import { type Create, stageAccounts } from '../../import-processes';
import { type GatheredRefusals, type Refusal, refusalOf } from '../../refusals';
import { UNREADABLE } from '../../suppliers';
import type { Caller } from '../../tokens';
import { createOf, isSameAccount, TOO_LARGE_TO_STAGE } from '../schedule/staged';
import { type CheckedAccount, checkRead } from '../validation/check';
import type { BulkKnown } from './known';
import {
  type BulkResult,
  documentErrorsOf,
  failureTextOf,
  invalid,
  type LineAccount,
  type LineContext,
  lineErrors,
  lineText,
  namesIn,
  namesSeemingly,
  readLine,
  refusedAgain,
  resultOf,
  stagedResult,
} from './line';

export type BulkMode = 'create' | 'validate';

/** What the slices of one request have in common. */
export interface BulkRequest {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly mode: BulkMode;
  /** The run of lines that name none themselves. */
  readonly run: string | undefined;
  readonly known: BulkKnown;
  readonly refusals: GatheredRefusals;
  readonly answered: Answered;
}

/** How often a line is checked anew because its supplier changed under it. */
const MAX_ATTEMPTS = 3;
/** Bytes of lines whose accounts are held while their documents are looked up together. */
const LOOK_UP_BYTES = 1_000_000;

/** A line that was read, on its way to an answer. */
interface Checked {
  readonly position: number;
  readonly account: LineAccount;
  readonly checkedAccount: CheckedAccount;
  readonly context: LineContext;
}

/** A line of a known supplier, and what it asks of the process of its pair. */
interface Asked {
  readonly position: number;
  readonly create: Create;
  readonly result: BulkResult;
}

/** Decides the lines of a slice and stores what is right. */
export async function decideSlice(request: BulkRequest, lines: readonly Line[]): Promise<Decided> {
  const slice = new Slice(request, lines);
  const kind = await slice.decide();
  await request.refusals.add(slice.refusals());
  return { kind, answers: slice.answers };
}

class Slice {
  readonly answers: SliceAnswers;
  readonly #request: BulkRequest;
  readonly #lines: readonly Line[];
  #waiting: Checked[] = [];
  #asked: Asked[] = [];
  /** Creates that were refused, by the position of their line. */
  readonly #refused = new Map<number, Refusal>();
  /** A line has an answer by which something is stored. */
  #isStored = false;

  constructor(request: BulkRequest, lines: readonly Line[]) {
    this.answers = new SliceAnswers(lines.length, request.answered, (position) => failureTextOf(lines[position]));
    this.#request = request;
    this.#lines = lines;
  }

  async decide(): Promise<Decided['kind']> {
    const { deps, known } = this.#request;
    known.beginSlice();
    for (let attempt = 0, open = this.answers.open(); attempt < MAX_ATTEMPTS && open.length > 0; attempt++, open = this.answers.open()) {
      if (attempt > 0) known.clear();
      [this.#waiting, this.#asked] = [[], []];
      try {
        if ((await this.#check(open)) === 'key_revoked') {
          for (const position of open) this.#reopen(position);
          return this.#isStored ? 'decided' : 'key_revoked';
        }
        await this.#store();
      } catch (error) {
        deps.log.error('bulk_slice_failed', error, { lines: open.length });
        for (const { position } of [...this.#asked, ...this.#waiting]) this.#reopen(position);
        return 'decided';
      }
    }
    return 'decided';
  }

  refusals(): Refusal[] {
    return [...this.#refused.values()];
  }

  /** The line has no answer any more. */
  #reopen(position: number): void {
    this.answers.reopen(position);
    this.#refused.delete(position);
  }

  /** By what the lines seem to name first; if one names something else, by what they name for certain. */
  async #check(positions: readonly number[]): Promise<'checked' | 'key_revoked'> {
    const { known, run } = this.#request;
    const lines = positions.flatMap((position) => this.#lines[position] ?? []);
    const names = lines.flatMap((line) => namesSeemingly(line, run));
    if (!names.every((name) => known.has(name)) && (await known.read(names)) === 'key_revoked') return 'key_revoked';
    if (await this.#checkEach(positions)) return 'checked';
    if ((await known.read(lines.flatMap((line) => namesIn(line, run)))) === 'key_revoked') return 'key_revoked';
    if (await this.#checkEach(positions)) return 'checked';
    throw new Error('a line names what it did not name before');
  }

  /** False as soon as a line names what is not known. */
  async #checkEach(positions: readonly number[]): Promise<boolean> {
    const { answered, known, run } = this.#request;
    [this.#waiting, this.#asked] = [[], []];
    const turns = new Turns(answered);
    for (const position of positions) {
      const line = this.#lines[position];
      if (!line) continue;
      await turns.take(line.bytes?.byteLength ?? 0);
      const account = readLine(line, run);
      if (!('read' in account)) this.#give(position, account);
      else if (known.has(account.read)) await this.#checkAccount(position, account);
      else return false;
    }
    await this.#lookUp();
    return true;
  }

  async #checkAccount(position: number, account: LineAccount): Promise<void> {
    const { deps, known, answered } = this.#request;
    const supplier = known.supplierOf(account.read);
    if (supplier === UNREADABLE) return this.#give(position, resultOf(account, 'FAILED'));
    const context: LineContext = {
      supplier,
      run: known.runOf(account.read),
      requestRun: this.#request.run,
      missingDocuments: new Set(),
      now: deps.now(),
      maxErrors: answered.maxErrors,
    };
    const checkedAccount = checkRead(account.read, supplier, context.now);
    const checked = { position, account, checkedAccount, context };
    const paths = checkedAccount.documentPaths.length;
    if (!supplier || paths === 0 || paths > MAX_DOCUMENT_PATHS) return this.#conclude(checked);
    const [bytes, keys] = this.#waiting.reduce(
      ([b, k], one) => [b + one.account.text.length, k + one.checkedAccount.documentPaths.length],
      [account.text.length, paths],
    );
    if (bytes > LOOK_UP_BYTES || keys > MAX_DOCUMENT_PATHS) await this.#lookUp();
    this.#waiting.push(checked);
  }

  async #lookUp(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const asked = waiting.map((one) => ({
      ...one,
      documentKeys: keysOf(one.context.supplier?.configuration.documents_root ?? '', one.checkedAccount.documentPaths),
    }));
    const documents = await lookUpDocuments(this.#request.deps, asked);
    for (const one of asked) {
      if (documents.knownOf(one) === 'all') this.#conclude({ ...one, context: { ...one.context, missingDocuments: documents.missing } });
      else this.#give(one.position, resultOf(one.account, 'FAILED'));
    }
  }

  /** All is known that a line is checked by. What staging has to confirm may be answered otherwise then. */
  #conclude({ position, account, checkedAccount, context }: Checked): void {
    const documents = documentErrorsOf(checkedAccount, context);
    const errors = lineErrors(account, checkedAccount, context, documents);
    const { supplier, run } = context;
    if (errors.length > 0 || !supplier) this.#give(position, invalid(account, errors), context);
    if (this.#request.mode === 'validate') {
      if (errors.length === 0) this.#give(position, resultOf(account, 'VALID'));
    } else if (supplier) {
      const create = createOf(checkedAccount, supplier, documents, account.text, run);
      const tooLarge = errors.length === 0 && create.kind === 'wrong' ? [TOO_LARGE_TO_STAGE] : [];
      if (tooLarge.length > 0) this.#give(position, invalid(account, tooLarge));
      const refused = [...errors, ...tooLarge];
      if (refused.length > 0) this.#refused.set(position, refusalOf(supplier, run, account.read.externalAccountNumber, refused));
      this.#asked.push({ position, create, result: resultOf(account, 'SCHEDULED') });
    }
  }

  /** `context` leads to the same refusal again. */
  #give(position: number, result: BulkResult, context?: LineContext): void {
    const line = this.#lines[position];
    this.answers.give(position, lineText(result), context && line ? () => lineText(refusedAgain(line, context)) : undefined);
  }

  /** Stores the valid lines in their order. A line that was checked by an old state is checked again. */
  async #store(): Promise<void> {
    const { deps, caller, known } = this.#request;
    const asked = this.#asked.toSorted((a, b) => a.position - b.position);
    const outcomes = await stageAccounts(
      deps,
      caller,
      asked.map(({ create }) => create),
      isSameAccount,
      known.processes,
    );
    for (const [index, { position, result }] of asked.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      const answer = stagedResult(result, outcome);
      if (outcome.kind === 'scheduled') this.#isStored = true;
      if (answer === 'open') this.#reopen(position);
      else if (answer !== 'refused') {
        this.#give(position, answer);
        this.#refused.delete(position);
      }
      if (outcome.kind === 'already_imported' || outcome.kind === 'in_progress') known.noteRepeat();
    }
  }
}
