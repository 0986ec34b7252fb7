/**
 * Compares an importer's own list of a run with what is imported, account by account: NDJSON in, NDJSON out, in slices. The last line says
 * that the comparison is whole.
 */
import type { Total } from '../accounts';
import { type BodySource, linesOf } from '../bulk';
import { query } from '../db';
import type { Deps } from '../deps';
import { STATUS, type Status, statusOf } from '../import-processes';
import { errorItem } from '../shared/errors';
import { decodeJson } from '../shared/json';
import { parse } from '../shared/parse';
import { type FoundRun, pagesOf } from './read';
import { accountDifferences, type SomeTotals, totalsIn } from './rules-totals';
import { listedAccount } from './schema';
import { importedOfPage, type ListedAccountRow, listedAccounts, listedNumbers } from './store-totals';

/** Lines that are looked up at once, and imported accounts of one page: a list of a million takes half of the calls that a request has. */
const [SLICE, PAGE] = [2_500, 10_000];

/** One account of the list. `line` counts from 1, blank lines included. */
interface Listed {
  readonly line: number;
  readonly externalAccountNumber: string;
  readonly totals: SomeTotals;
}

/** How a comparison ended: only a whole one has its last line. */
export type CompareEnd = 'whole' | 'too_large' | 'broken';

/** Yields NDJSON text, piece by piece, each of whole lines. */
export async function* compareWithList(deps: Deps, found: FoundRun, source: BodySource): AsyncGenerator<string, CompareEnd> {
  const comparison = new Comparison(deps, found);
  let slice: Listed[] = [];
  for await (const arrival of linesOf(source)) {
    switch (arrival.kind) {
      case 'lines': {
        let refused = '';
        for (const { number, bytes } of arrival.lines) {
          const read = comparison.read(number, bytes);
          if (typeof read === 'string') refused += read;
          else slice.push(read);
        }
        if (refused !== '') yield refused;
        for (; slice.length >= SLICE; slice = slice.slice(SLICE)) yield* comparison.compare(slice.slice(0, SLICE));
        break;
      }
      case 'pause':
        break;
      case 'end':
        yield* comparison.compare(slice);
        yield* comparison.unexpected();
        yield comparison.end(arrival.lines);
        return 'whole';
      case 'too_large':
      case 'broken':
        await source.drain();
        return arrival.kind;
    }
  }
  return 'broken';
}

const textOf = (line: object): string => `${JSON.stringify(line)}\n`;

class Comparison {
  readonly #deps: Deps;
  readonly #found: FoundRun;
  /** Ids of imported accounts that the list has. */
  readonly #listed = new Bits();
  readonly #counts = { matching: 0, missing: 0, different: 0, unexpected: 0, invalid: 0 };

  constructor(deps: Deps, found: FoundRun) {
    this.#deps = deps;
    this.#found = found;
  }

  /** What a line says, or the text of its refusal. */
  read(line: number, bytes: Uint8Array | undefined): Listed | string {
    const body = bytes ? decodeJson(bytes) : undefined;
    if (body?.kind !== 'json') {
      return this.#invalid(line, [{ detail: body?.detail ?? 'The line is too long.', code: 'parse_error', attr: '' }]);
    }
    const { value, errors } = parse(listedAccount, body.value);
    if (value === undefined) return this.#invalid(line, errors.map(errorItem));
    const { external_account_number: externalAccountNumber, ...totals } = value;
    return { line, externalAccountNumber, totals: totalsIn(totals) };
  }

  #invalid(line: number, errors: readonly object[]): string {
    this.#counts.invalid += 1;
    return textOf({ line, status: 'INVALID', errors });
  }

  async *compare(slice: readonly Listed[]): AsyncGenerator<string, void> {
    if (slice.length === 0) return;
    const { supplier, run } = this.#found;
    const numbers = [...new Set(slice.map(({ externalAccountNumber }) => externalAccountNumber))];
    const rows = await query(
      this.#deps.databaseOf(supplier.code),
      listedAccounts({ supplierId: supplier.id, runId: run.id, listed: listedNumbers(numbers) }),
    );
    const byNumber = new Map(rows.map((row) => [row.externalAccountNumber, row]));
    const text = slice.map((listed) => this.#compareOne(listed, byNumber.get(listed.externalAccountNumber))).join('');
    if (text !== '') yield text;
  }

  #compareOne({ line, externalAccountNumber, totals }: Listed, row: ListedAccountRow | undefined): string {
    const status: Status | undefined = row && statusOf(row.status);
    if (!row || row.status !== STATUS.PROCESSED) {
      this.#counts.missing += 1;
      return textOf({ line, external_account_number: externalAccountNumber, status: 'MISSING', import_status: status ?? null });
    }
    this.#listed.add(row.id);
    const differences = accountDifferences(totals, totalsOf(row));
    if (differences.length === 0) this.#counts.matching += 1;
    else this.#counts.different += 1;
    if (differences.length === 0) return '';
    return textOf({ line, external_account_number: externalAccountNumber, status: 'DIFFERENT', differences });
  }

  /** What is imported and not in the list. */
  async *unexpected(): AsyncGenerator<string, void> {
    const db = this.#deps.databaseOf(this.#found.supplier.code);
    const pages = pagesOf(this.#found.run, PAGE, async (key) => {
      const rows = await query(db, importedOfPage({ ...key }));
      return { rows, looked: rows.length, lastId: rows.at(-1)?.id };
    });
    for await (const rows of pages) {
      const others = rows.filter(({ id }) => !this.#listed.has(id));
      this.#counts.unexpected += others.length;
      if (others.length > 0) {
        yield others
          .map(({ externalAccountNumber }) => textOf({ external_account_number: externalAccountNumber, status: 'UNEXPECTED' }))
          .join('');
      }
    }
  }

  end(lines: number): string {
    const { matching, ...wrong } = this.#counts;
    return textOf({ done: true, lines, matching, ...wrong, matches: Object.values(wrong).every((count) => count === 0) });
  }
}

const totalsOf = (row: ListedAccountRow): Readonly<Record<Total, bigint>> => ({
  customers: BigInt(row.customers),
  notes: BigInt(row.notes),
  transactions: BigInt(row.transactions),
  transactions_amount: BigInt(row.transactionsAmount),
  statements: BigInt(row.statements),
  payment_instructions: BigInt(row.paymentInstructions),
  balance: BigInt(row.balance ?? 0),
});

const PART_BITS = 65_536;

/** A set of ids that costs a bit for each id of a stretch in which it has any: a list may have a million. */
class Bits {
  readonly #parts = new Map<number, Uint8Array>();

  add(id: number): void {
    const [key, bit] = [Math.floor(id / PART_BITS), id % PART_BITS];
    const part = this.#parts.get(key) ?? new Uint8Array(PART_BITS / 8);
    this.#parts.set(key, part);
    part[bit >> 3] = (part[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  has(id: number): boolean {
    const bit = id % PART_BITS;
    return ((this.#parts.get(Math.floor(id / PART_BITS))?.[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}
