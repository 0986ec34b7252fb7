/**
 * One slice of a bulk request: each line is read, checked and dropped by itself, and what is right is stored in one trip. A bad line
 * never touches another. What is held is bounded whatever the lines say: their bytes, the account of one line (of a few where
 * documents are looked up), what is to be stored, and answers up to a limit.
 */
import type { Deps } from '../deps';
import { keysOf, MAX_DOCUMENT_PATHS } from '../documents';
import { type StagedAccount, stageAccounts } from '../import-processes';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import { type Answered, SliceAnswers } from './bulk-answers';
import type { DocumentLookUps } from './bulk-documents';
import {
  type BulkResult,
  invalid,
  type LineAccount,
  type LineFacts,
  lineErrors,
  readLine,
  resultOf,
  stagedResult,
  supplierHint,
} from './bulk-line';
import type { Line } from './bulk-lines';
import type { BulkSuppliers } from './bulk-suppliers';
import { type AccountJudgement, judgeRead } from './judge';
import { stagedAccountOf, TOO_LARGE_TO_STAGE } from './staged';

export type BulkMode = 'create' | 'validate';

/** What the slices of one request have in common. */
export interface BulkRequest {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly mode: BulkMode;
  readonly suppliers: BulkSuppliers;
  readonly lookUps: DocumentLookUps;
  readonly answered: Answered;
}

/** How often a line is checked anew because its supplier changed under it. */
const MAX_ATTEMPTS = 3;
/** Bytes of lines whose accounts are held while their documents are looked up together. */
const LOOK_UP_BYTES = 1_000_000;
/** Bytes that are checked, and characters that are answered, before other requests get their turn: each some tens of milliseconds. */
const TURN_BYTES = 400_000;
const TURN_CHARACTERS = 2_000_000;

/** A line that was read, on its way to an answer. */
interface Checked {
  readonly position: number;
  readonly account: LineAccount;
  readonly judgement: AccountJudgement;
  readonly facts: LineFacts;
  /** Of the documents that are to be looked up. */
  readonly keys: readonly string[];
}

interface Valid {
  readonly position: number;
  readonly supplier: Supplier;
  readonly row: StagedAccount;
  readonly result: BulkResult;
}

/** Yields the answers to the lines of a slice as NDJSON text, in order. */
export async function* sliceAnswers(request: BulkRequest, lines: readonly Line[]): AsyncGenerator<string, void> {
  const slice = new Slice(request, lines);
  await slice.decide();
  yield* slice.answers.pieces();
}

class Slice {
  readonly answers: SliceAnswers;
  readonly #request: BulkRequest;
  readonly #lines: readonly Line[];
  readonly #pairs = new Set<string>();
  #waiting: Checked[] = [];
  #valid: Valid[] = [];

  constructor(request: BulkRequest, lines: readonly Line[]) {
    this.answers = new SliceAnswers(lines, request.answered);
    this.#request = request;
    this.#lines = lines;
  }

  async decide(): Promise<void> {
    const { deps, suppliers, mode } = this.#request;
    for (let attempt = 0, open = this.answers.open(); attempt < MAX_ATTEMPTS && open.length > 0; attempt++, open = this.answers.open()) {
      // A create repeats as a guard in SQL what it was checked by; else, and where nothing was allowed, the supplier is read anew.
      if (attempt > 0 || mode === 'validate') suppliers.clear();
      else suppliers.clearRefusing();
      try {
        await this.#check(open);
        await this.#store();
      } catch (error) {
        deps.log.error('bulk_slice_failed', error, { lines: open.length });
        return;
      }
    }
  }

  async #check(positions: readonly number[]): Promise<void> {
    const { answered } = this.#request;
    let [bytes, characters] = [0, answered.characters];
    for (const position of positions) {
      const line = this.#lines[position];
      if (!line) continue;
      bytes += line.bytes?.byteLength ?? 0;
      if (bytes / TURN_BYTES + (answered.characters - characters) / TURN_CHARACTERS > 1) {
        await new Promise((resume) => setTimeout(resume, 0));
        [bytes, characters] = [0, answered.characters];
      }
      const account = readLine(line);
      if (!('read' in account)) this.answers.give(position, account);
      else await this.#checkAccount(position, account);
    }
  }

  async #checkAccount(position: number, account: LineAccount): Promise<void> {
    const { deps, suppliers, answered } = this.#request;
    const { supplierCode, externalAccountNumber } = account.read;
    this.answers.name(position, externalAccountNumber);
    await this.#afterItsPair(JSON.stringify([supplierCode, externalAccountNumber]));
    const seemNamed = () => this.#lines.slice(position + 1).flatMap((line) => supplierHint(line) ?? []);
    const facts: LineFacts = {
      supplier: await suppliers.withCode(supplierCode, seemNamed),
      missingDocuments: new Set(),
      now: deps.now(),
      maxErrors: answered.maxErrors,
    };
    const judgement = judgeRead(account.read, facts.supplier, facts.now);
    const { documentPaths } = judgement;
    const isLookedUp = facts.supplier && documentPaths.length <= MAX_DOCUMENT_PATHS;
    const keys = isLookedUp ? keysOf(facts.supplier?.configuration.documents_root ?? '', documentPaths) : [];
    const checked = { position, account, judgement, facts, keys };
    if (keys.length === 0) return this.#conclude(checked);
    const [bytes, paths] = this.#waiting.reduce(
      ([b, p], one) => [b + one.account.text.length, p + one.keys.length],
      [account.text.length, keys.length],
    );
    if (bytes > LOOK_UP_BYTES || paths > MAX_DOCUMENT_PATHS) await this.#lookUp();
    this.#waiting.push(checked);
  }

  /** A pair that comes twice is stored in two trips, one after the other. */
  async #afterItsPair(pair: string): Promise<void> {
    if (this.#request.mode === 'create' && this.#pairs.has(pair)) await this.#store();
    this.#pairs.add(pair);
  }

  async #lookUp(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const missing = await this.#request.lookUps.missing(waiting.flatMap(({ keys }) => keys));
    for (const checked of waiting) {
      if (missing === 'unknown') this.answers.give(checked.position, resultOf(checked.account, 'FAILED'));
      else this.#conclude({ ...checked, facts: { ...checked.facts, missingDocuments: missing } });
    }
  }

  /** All is known that a line is checked by. */
  #conclude({ position, account, judgement, facts }: Checked): void {
    const errors = lineErrors(account, judgement, facts);
    if (errors.length > 0 || !facts.supplier) this.answers.give(position, invalid(account, errors), facts);
    else if (this.#request.mode === 'validate') this.answers.give(position, resultOf(account, 'VALID'));
    else {
      const row = stagedAccountOf(judgement, account.text);
      if (row) this.#valid.push({ position, supplier: facts.supplier, row, result: resultOf(account, 'SCHEDULED') });
      else this.answers.give(position, invalid(account, [TOO_LARGE_TO_STAGE]));
    }
  }

  /** Stores what is right, in the order of its lines. What was checked by old facts stays open. */
  async #store(): Promise<void> {
    await this.#lookUp();
    const { deps, caller } = this.#request;
    const valid = this.#valid.toSorted((a, b) => a.position - b.position);
    this.#valid = [];
    this.#pairs.clear();
    for (const [supplier, members] of Map.groupBy(valid, (one) => one.supplier)) {
      const outcomes = await stageAccounts(
        deps,
        members.map(({ row }) => row),
        supplier,
        caller,
      );
      for (const [index, { position, result }] of members.entries()) {
        const outcome = outcomes[index];
        const answer = outcome && stagedResult(result, outcome);
        if (answer) this.answers.give(position, answer);
      }
    }
  }
}
