/**
 * One slice of a bulk request that adds to accounts: its lines are read and validated one by one, and stored together, so that each is
 * answered as if the requests had come one after the other. A bad line never touches another. What is held is bounded whatever the
 * lines say: their bytes, the requests that may be right, and answers up to a limit. What is wrong with a line is found twice rather
 * than held, because a few bytes can be wrong in many ways.
 */
import { type AccountState, loadStates, MAX_TRIES, type Pair, type StateOfPair, type Target, unchangedOf } from '../account-state';
import { type Answered, type Decided, type Line, SliceAnswers, Turns } from '../bulk';
import { commitPart, joined, joinedAll } from '../db';
import type { Deps } from '../deps';
import { type DocumentReference, documentPathErrors, keysOf, lookUpDocuments, MAX_DOCUMENT_PATHS, type NamesDocuments } from '../documents';
import { firstErrors } from '../shared/errors';
import { decodeJson } from '../shared/json';
import { UNREADABLE } from '../suppliers';
import type { Caller } from '../tokens';
import { type Refusal, validated } from './add';
import { type AddsInBulk, type LineAnswer, lineText } from './bulk-line';
import type { Addition, Prepared } from './request';
import { batchesOf, wavesOf } from './rules-waves';

/** What the slices of one request have in common. */
export interface SliceContext {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly answered: Answered;
}

/** A line that holds JSON, on its way to an answer. */
interface Open<Body, Write, Written, Outcome> {
  readonly position: number;
  readonly pair: Pair;
  /** Makes the request anew where it is wrong, and is then not to be held. */
  readonly addition: () => Addition<Body, Write, Written, Outcome>;
}

/** A line of a valid request. */
interface Right<Body, Write, Written, Outcome> extends Open<Body, Write, Written, Outcome> {
  readonly raw: unknown;
  readonly target: Target;
  readonly accountId: number;
  readonly items: ReadonlySet<string>;
  readonly prepared: Extract<Prepared<Write, Written, Outcome>, { readonly kind: 'write' }>;
}

/** Decides the lines of a slice and stores what is right. */
export async function decideSlice<Body, Write, Written, Outcome>(
  context: SliceContext,
  adds: AddsInBulk<Body, Write, Written, Outcome>,
  lines: readonly Line[],
): Promise<Decided> {
  const slice = new Slice(context, adds, lines);
  return { kind: await slice.decide(), answers: slice.answers };
}

class Slice<Body, Write, Written, Outcome> {
  readonly answers: SliceAnswers;
  readonly #context: SliceContext;
  readonly #adds: AddsInBulk<Body, Write, Written, Outcome>;
  readonly #lines: readonly Line[];
  #isKeyRevoked = false;
  #isStored = false;

  constructor(context: SliceContext, adds: AddsInBulk<Body, Write, Written, Outcome>, lines: readonly Line[]) {
    this.answers = new SliceAnswers(lines.length, context.answered, (position) => this.#unanswered(position));
    this.#context = context;
    this.#adds = adds;
    this.#lines = lines;
  }

  async decide(): Promise<Decided['kind']> {
    const { deps } = this.#context;
    const read = await this.#read();
    // Each database decides about its own, so that one that fails leaves the others alone.
    for (const [database, lines] of Map.groupBy(read, ({ pair }) => deps.databaseOf(pair.supplierCode))) {
      const open = new Map(lines.map((line) => [line.position, line]));
      try {
        for (let tries = 0; tries < MAX_TRIES && open.size > 0 && !this.#isKeyRevoked; tries++) await this.#decideOpen(database, open);
      } catch (error) {
        deps.log.error('bulk_slice_failed', error, { lines: open.size });
      }
    }
    return this.#isKeyRevoked && !this.#isStored ? 'key_revoked' : 'decided';
  }

  async #read(): Promise<Open<Body, Write, Written, Outcome>[]> {
    const { answers } = this.#adds;
    const turns = new Turns(this.#context.answered);
    const open = [];
    for (const [position, { bytes }] of this.#lines.entries()) {
      await turns.take(bytes?.byteLength ?? 0);
      const body = bytes && decodeJson(bytes);
      if (!body) this.#give(position, answers.tooLarge);
      else if (body.kind === 'malformed') this.#give(position, answers.malformed(body.detail));
      else open.push(this.#openLine(position, body.value));
    }
    return open;
  }

  #openLine(position: number, raw: unknown): Open<Body, Write, Written, Outcome> {
    const addition = this.#adds.read(raw);
    const isRight = addition.parsed.errors.length === 0 && addition.ruleErrors(undefined).length === 0;
    return { position, pair: addition.pair, addition: isRight ? () => addition : () => this.#readAnew(position) };
  }

  #readAnew(position: number): Addition<Body, Write, Written, Outcome> {
    const bytes = this.#lines[position]?.bytes;
    const body = bytes && decodeJson(bytes);
    if (body?.kind !== 'json') throw new Error('a line holds other text than before');
    return this.#adds.read(body.value);
  }

  /** Answers what can be answered. What was validated by a supplier that changed meanwhile stays open. */
  async #decideOpen(database: D1Database, open: Map<number, Open<Body, Write, Written, Outcome>>): Promise<void> {
    const { caller } = this.#context;
    const lines = [...open.values()];
    const stateOf = await loadStates(
      database,
      caller,
      lines.map(({ pair }) => pair),
    );
    if (stateOf === 'key_revoked') {
      this.#isKeyRevoked = true;
      return;
    }
    const right = await this.#validate(lines, stateOf, (position) => open.delete(position));
    for (const batch of batchesOf(wavesOf(right))) for (const position of await this.#store(database, batch)) open.delete(position);
  }

  /** Stores waves in one batch. Returns the positions of the lines that have their answer. */
  async #store(database: D1Database, waves: readonly Right<Body, Write, Written, Outcome>[][]): Promise<number[]> {
    const { caller } = this.#context;
    const adding = waves.map((wave) =>
      this.#adds.adding(
        caller,
        wave.map(({ prepared }) => prepared.write),
      ),
    );
    const [unchanged, written] = await commitPart(database, joined(unchangedOf(caller, waves.flat()), joinedAll(adding)));
    const answered = [];
    for (const [at, wave] of waves.entries()) {
      for (const [index, { position, raw, accountId, prepared }] of wave.entries()) {
        const result = written[at]?.[index];
        if (result === undefined || !unchanged.has(accountId)) continue;
        this.#isStored = true;
        this.#give(position, this.#adds.answers.outcome(prepared.outcomeOf(result), raw));
        answered.push(position);
      }
    }
    return answered;
  }

  /** Answers the lines that are wrong, and prepares those that are right. */
  async #validate(
    lines: readonly Open<Body, Write, Written, Outcome>[],
    stateOf: StateOfPair,
    close: (position: number) => void,
  ): Promise<Right<Body, Write, Written, Outcome>[]> {
    const { deps, caller, answered } = this.#context;
    const named = lines.map((line) => ({ ...line, documentKeys: keysToLookUp(line.pair, line.addition().documents, stateOf) }));
    const documents = await lookUpDocuments(deps, named);
    const turns = new Turns(answered);
    const right: Right<Body, Write, Written, Outcome>[] = [];
    for (const line of named) {
      const { position } = line;
      await turns.take(this.#lines[position]?.bytes?.byteLength ?? 0);
      const known = stateOf(line.pair);
      if (known === UNREADABLE || documents.knownOf(line) !== 'all') {
        close(position);
        this.#give(position, this.#adds.answers.failed);
        continue;
      }
      const addition = line.addition();
      const result = validated(addition, known, caller, wrongDocuments(addition, known, documents.missing));
      const prepared = result.kind === 'valid' ? addition.prepare(result.value, result.target) : undefined;
      if (result.kind === 'valid' && prepared?.kind === 'write') {
        const { target } = result;
        const { raw } = addition;
        right.push({ ...line, raw, target, accountId: target.account.id, items: prepared.items, prepared });
        continue;
      }
      close(position);
      if (result.kind !== 'valid') this.#refuse(line, result, known, documents.missing);
      else if (prepared?.kind === 'answered') this.#give(position, this.#adds.answers.outcome(prepared.outcome, addition.raw));
    }
    return right;
  }

  /** A refusal that would be too much to hold is made again from its line. */
  #refuse(
    { position, addition }: Open<Body, Write, Written, Outcome>,
    refusal: Refusal,
    known: AccountState,
    missing: ReadonlySet<string>,
  ): void {
    const { caller, answered } = this.#context;
    const { maxErrors } = answered;
    const textOf = (of: Refusal, raw: unknown) => {
      const few: Refusal = of.kind === 'invalid' ? { kind: 'invalid', errors: firstErrors(of.errors, maxErrors) } : of;
      return this.#text(position, this.#adds.answers.outcome(few, raw));
    };
    this.answers.give(position, textOf(refusal, addition().raw), () => {
      const again = addition();
      const result = validated(again, known, caller, wrongDocuments(again, known, missing));
      if (result.kind === 'valid') throw new Error('a line that was refused is right now');
      return textOf(result, again.raw);
    });
  }

  #give(position: number, answer: LineAnswer): void {
    this.answers.give(position, this.#text(position, answer));
  }

  #unanswered(position: number): string {
    const { failed, outcome } = this.#adds.answers;
    return this.#text(position, this.#isKeyRevoked ? outcome({ kind: 'unauthenticated' }, undefined) : failed);
  }

  #text(position: number, answer: LineAnswer): string {
    const line = this.#lines[position];
    if (!line) throw new Error('a slice has no line at this position');
    return lineText(line.number, answer);
  }
}

type Documents = readonly DocumentReference[];

const wrongDocuments = ({ documents }: { readonly documents: Documents }, { supplier }: AccountState, missing: ReadonlySet<string>) =>
  documentPathErrors(supplier?.configuration.documents_root ?? '', documents, missing);

/** The keys of the documents that a request names; none where they are too many to be looked up, or of no supplier. */
function keysToLookUp(pair: Pair, documents: Documents, stateOf: StateOfPair): NamesDocuments['documentKeys'] {
  const known = stateOf(pair);
  if (known === UNREADABLE || !known.supplier || documents.length > MAX_DOCUMENT_PATHS) return [];
  return keysOf(known.supplier.configuration.documents_root, documents);
}
