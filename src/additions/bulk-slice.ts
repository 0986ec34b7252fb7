/**
 * One slice of a bulk request that adds to accounts: its lines are read and validated one by one, and stored together, so that each is
 * answered as if the requests had come one after the other. A bad line never touches another.
 */
import { type FactsOfMany, isGuardHeld, loadManyFacts, MAX_TRIES, type Pair, suppliersAgain, type Target } from '../account-facts';
import { type Answered, type Line, SliceAnswers, Turns } from '../bulk';
import { commitPart, joined, joinedAll } from '../db';
import type { Deps } from '../deps';
import { judgeDocuments, keysOf, lookUpDocuments, MAX_DOCUMENT_PATHS, type NamesDocuments } from '../documents';
import { firstErrors } from '../shared/errors';
import { decodeJson } from '../shared/json';
import { UNREADABLE } from '../suppliers';
import type { Caller } from '../tokens';
import { type Refusal, validated } from './add';
import type { Adding, Addition, Prepared } from './request';
import { batchesOf, wavesOf } from './rules-waves';

/** How a line is answered: as the single endpoint answers its request. */
export interface LineAnswer {
  /** Of HTTP. */
  readonly status: number;
  readonly body: unknown;
}

/** What a bulk request adds, and how its lines are answered. */
export interface AddsInBulk<Body, Write, Written, Outcome> {
  readonly read: (raw: unknown) => Addition<Body, Write, Written, Outcome>;
  readonly adding: Adding<Write, Written>;
  readonly answers: {
    readonly outcome: (outcome: Refusal | Outcome, raw: unknown) => LineAnswer;
    readonly tooLarge: LineAnswer;
    readonly malformed: (detail: string) => LineAnswer;
    readonly tooManyLines: LineAnswer;
    /** Our own failure: the line is to be sent again. */
    readonly failed: LineAnswer;
  };
}

/** What the slices of one request have in common. */
export interface SliceContext {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly answered: Answered;
}

/** A line that holds JSON, on its way to an answer. */
interface Open<Body, Write, Written, Outcome> {
  readonly position: number;
  readonly addition: Addition<Body, Write, Written, Outcome>;
}

/** A line of a valid request. */
interface Right<Body, Write, Written, Outcome> extends Open<Body, Write, Written, Outcome> {
  readonly target: Target;
  readonly accountId: number;
  readonly items: ReadonlySet<string>;
  readonly prepared: Extract<Prepared<Write, Written, Outcome>, { readonly kind: 'write' }>;
}

export const lineText = (line: number, { status, body }: LineAnswer): string => `${JSON.stringify({ line, status, body })}\n`;

/** Yields the answers to the lines of a slice as NDJSON text, in order. */
export async function* sliceAnswers<Body, Write, Written, Outcome>(
  context: SliceContext,
  adds: AddsInBulk<Body, Write, Written, Outcome>,
  lines: readonly Line[],
): AsyncGenerator<string, void> {
  const slice = new Slice(context, adds, lines);
  await slice.decide();
  yield* slice.answers.pieces();
}

class Slice<Body, Write, Written, Outcome> {
  readonly answers: SliceAnswers;
  readonly #context: SliceContext;
  readonly #adds: AddsInBulk<Body, Write, Written, Outcome>;
  readonly #lines: readonly Line[];

  constructor(context: SliceContext, adds: AddsInBulk<Body, Write, Written, Outcome>, lines: readonly Line[]) {
    this.answers = new SliceAnswers(lines.length, context.answered, (position) => this.#text(position, adds.answers.failed));
    this.#context = context;
    this.#adds = adds;
    this.#lines = lines;
  }

  async decide(): Promise<void> {
    const { deps } = this.#context;
    const read = await this.#read();
    // Each database decides about its own, so that one that fails leaves the others alone.
    for (const [database, lines] of Map.groupBy(read, ({ addition }) => deps.databaseOf(addition.pair.supplierCode ?? ''))) {
      const open = new Map(lines.map((line) => [line.position, line]));
      try {
        for (let tries = 0; tries < MAX_TRIES && open.size > 0; tries++) await this.#decideOpen(database, open);
      } catch (error) {
        deps.log.error('bulk_slice_failed', error, { lines: open.size });
      }
    }
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
      else open.push({ position, addition: this.#adds.read(body.value) });
    }
    return open;
  }

  /** Answers what can be answered. What was validated by a supplier that changed meanwhile stays open. */
  async #decideOpen(database: D1Database, open: Map<number, Open<Body, Write, Written, Outcome>>): Promise<void> {
    const { caller } = this.#context;
    const lines = [...open.values()];
    const facts = await loadManyFacts(
      database,
      caller,
      lines.map(({ addition }) => addition.pair),
    );
    const right = await this.#validate(lines, facts, (position) => open.delete(position));
    for (const batch of batchesOf(wavesOf(right))) {
      const codes = new Set(batch.flat().map(({ target }) => target.supplier.code));
      const adding = batch.map((wave) =>
        this.#adds.adding(
          caller,
          wave.map(({ prepared }) => prepared.write),
        ),
      );
      const [suppliers, written] = await commitPart(database, joined(suppliersAgain(caller, [...codes]), joinedAll(adding)));
      for (const [at, wave] of batch.entries()) {
        for (const [index, { position, addition, target, prepared }] of wave.entries()) {
          const supplier = suppliers?.get(target.supplier.code);
          const now = { isCallerActive: suppliers !== undefined, supplier: supplier === UNREADABLE ? undefined : supplier };
          const result = written[at]?.[index];
          if (result === undefined || !isGuardHeld(now, target.supplier)) continue;
          this.#give(position, this.#adds.answers.outcome(prepared.outcomeOf(result), addition.raw));
          open.delete(position);
        }
      }
    }
  }

  /** Answers the lines that are wrong, and prepares those that are right. */
  async #validate(
    lines: readonly Open<Body, Write, Written, Outcome>[],
    facts: FactsOfMany,
    close: (position: number) => void,
  ): Promise<Right<Body, Write, Written, Outcome>[]> {
    const { deps, caller, answered } = this.#context;
    const named = lines.map((line) => ({ ...line, documentKeys: keysToLookUp(line.addition, facts) }));
    const documents = await lookUpDocuments(deps, named);
    const turns = new Turns(answered);
    const right: Right<Body, Write, Written, Outcome>[] = [];
    for (const line of named) {
      const { position, addition } = line;
      await turns.take(this.#lines[position]?.bytes?.byteLength ?? 0);
      const known = facts(addition.pair);
      if (known === UNREADABLE || documents.knownOf(line) !== 'all') {
        close(position);
        this.#give(position, this.#adds.answers.failed);
        continue;
      }
      const wrong = judgeDocuments(known.supplier?.configuration.documents_root ?? '', addition.documents, documents.missing);
      const result = validated(addition, known, caller, wrong);
      const prepared = result.kind === 'valid' ? addition.prepare(result.value, result.target) : undefined;
      if (result.kind === 'valid' && prepared?.kind === 'write') {
        const { target } = result;
        right.push({ position, addition, target, accountId: target.account.id, items: prepared.items, prepared });
        continue;
      }
      close(position);
      if (result.kind !== 'valid') this.#refuse(position, result, addition.raw);
      else if (prepared?.kind === 'answered') this.#give(position, this.#adds.answers.outcome(prepared.outcome, addition.raw));
    }
    return right;
  }

  /** A refusal that would be too much to hold is made again from its errors. */
  #refuse(position: number, refusal: Refusal, raw: unknown): void {
    const { maxErrors } = this.#context.answered;
    const few: Refusal = refusal.kind === 'invalid' ? { kind: 'invalid', errors: firstErrors(refusal.errors, maxErrors) } : refusal;
    const text = () => this.#text(position, this.#adds.answers.outcome(few, raw));
    this.answers.give(position, text(), text);
  }

  #give(position: number, answer: LineAnswer): void {
    this.answers.give(position, this.#text(position, answer));
  }

  #text(position: number, answer: LineAnswer): string {
    const line = this.#lines[position];
    if (!line) throw new Error('a slice has no line at this position');
    return lineText(line.number, answer);
  }
}

/** The keys of the documents that a request names; none where they are too many to be looked up, or of no supplier. */
function keysToLookUp(
  { pair, documents }: { readonly pair: Pair; readonly documents: Parameters<typeof keysOf>[1] },
  facts: FactsOfMany,
): NamesDocuments['documentKeys'] {
  const known = facts(pair);
  if (known === UNREADABLE || !known.supplier || documents.length > MAX_DOCUMENT_PATHS) return [];
  return keysOf(known.supplier.configuration.documents_root, documents);
}
