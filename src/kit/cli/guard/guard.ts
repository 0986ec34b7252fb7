/** Reads a file of accounts once before anything of it is sent, and says on one screen what is in it and what may be wrong with it. */
import { type AccountRead, accountOf } from '../account';
import { UsageError } from '../exit';
import { fieldsOf, type RecordKind } from '../fields';
import { noRecord, type Source } from '../files/source';
import { counted, number } from '../progress';
import { ALLOWABLE, type Allowable, type Finding } from './finding';
import { AccountNumbers, type Repeat } from './numbers';
import { UnknownFields } from './unknown-fields';

export interface Guarded {
  readonly total: number;
  readonly numbers: AccountNumbers;
  /** How many accounts of each supplier there are. */
  readonly suppliers: ReadonlyMap<string, number>;
}

const MAX_SHOWN = 3;
const MAX_OF_A_KIND = 4;
const OTHERS = ['notes', 'transactions', 'statements', 'payment-instructions'] as const satisfies readonly RecordKind[];
type OtherKind = (typeof OTHERS)[number];

/**
 * Says what it finds by `say`. Throws {@link UsageError} where a finding could lose data without a word, unless it is allowed by
 * its name; `more` are findings from elsewhere.
 */
export async function guard(
  source: Source,
  allowed: ReadonlySet<Allowable>,
  say: (line: string) => void,
  more: readonly Finding[] = [],
): Promise<Guarded> {
  const look = new Look();
  for await (const { text, line } of source.records()) look.take(accountOf(text), text, line);
  if (look.total === 0) throw noRecord(source.name);
  const findings = [...more, ...look.findings(source.unit)];
  const stops = findings.filter(({ stop }) => stop !== undefined && !allowed.has(stop));
  say(`${source.name}: ${source.form}; ${look.contents()}`);
  for (const { text } of findings.filter((finding) => !stops.includes(finding))) say(`  ${text}`);
  for (const line of shortened(stops)) say(`! ${line}`);
  if (stops.length > 0) throw new UsageError(stopped([...new Set(stops.flatMap(({ stop }) => stop ?? []))]));
  return look;
}

/** A few of each kind: what is found is to be one screen. */
function shortened(stops: readonly Finding[]): string[] {
  return [...ALLOWABLE.keys()].flatMap((name) => {
    const found = stops.filter(({ stop }) => stop === name);
    const shown = found.slice(0, MAX_OF_A_KIND).map(({ text }) => text);
    return found.length > shown.length ? [...shown, `… and ${found.length - shown.length} more of that kind`] : shown;
  });
}

function stopped(names: readonly Allowable[]): string {
  const flags = names.map((name) => `  --allow ${name.padEnd(18)}  sends ${ALLOWABLE.get(name)}`);
  return ['Nothing was sent. Put the file right, or say that it is meant:', ...flags].join('\n');
}

class Look implements Guarded {
  readonly numbers = new AccountNumbers();
  readonly suppliers = new Map<string, number>();
  readonly #fields = new UnknownFields(fieldsOf('accounts'));
  readonly #others = new Map<OtherKind, { records: number; readonly first: number }>();
  readonly #different: Repeat[] = [];
  readonly #repeats = { differing: 0, same: 0 };
  total = 0;
  #unreadable = 0;

  take(account: AccountRead | undefined, text: string, line: number): void {
    this.total++;
    const repeat = this.numbers.add(account?.supplier, account?.number, line, text);
    if (repeat?.isSame) this.#repeats.same++;
    else if (repeat) {
      this.#repeats.differing++;
      if (this.#different.length < MAX_SHOWN) this.#different.push(repeat);
    }
    if (!account) {
      this.#unreadable++;
      return;
    }
    if (account.supplier !== undefined && (this.suppliers.size < 1_000 || this.suppliers.has(account.supplier))) {
      this.suppliers.set(account.supplier, (this.suppliers.get(account.supplier) ?? 0) + 1);
    }
    const other = otherKindOf(account.fields);
    if (!other) {
      this.#fields.take(account.fields, line);
      return;
    }
    const seen = this.#others.get(other);
    if (seen) seen.records++;
    else this.#others.set(other, { records: 1, first: line });
  }

  contents(): string {
    const suppliers = [...this.suppliers].sort(([, a], [, b]) => b - a);
    const named = suppliers.slice(0, 5).map(([code, count]) => (suppliers.length === 1 ? code : `${code} (${number(count)})`));
    const more = suppliers.length > 5 ? ` and ${suppliers.length - 5} more` : '';
    const of = suppliers.length === 0 ? 'no supplier' : `${suppliers.length === 1 ? 'supplier' : 'suppliers'} ${named.join(', ')}${more}`;
    return `${counted(this.total, 'record')} of ${of}`;
  }

  findings(unit: Source['unit']): Finding[] {
    return [...this.#kinds(unit), ...this.#fields.findings(unit, this.total), ...this.#duplicates(unit), ...this.#noJson(unit)];
  }

  #kinds(unit: string): Finding[] {
    return [...this.#others].flatMap(([kind, { records, first }]): Finding[] => {
      // An account may have notes and statements only: a whole file of such accounts is more likely one for their own endpoint.
      if (fieldsShared(kind) && records < this.total) return [];
      const words = `${number(records)} of ${number(this.total)} ${unit}s (the first is ${unit} ${number(first)}) look like ${kind.replace('-', ' ')}, not accounts`;
      return [{ text: `${words}: send them with "data-import ${kind}".`, stop: 'wrong-kind' }];
    });
  }

  #duplicates(unit: string): Finding[] {
    const { differing, same } = this.#repeats;
    const findings: Finding[] = this.#different.map(({ first, second }) => ({
      text: `${unit}s ${number(first)} and ${number(second)} are different records of one account: the first would be replaced.`,
      stop: 'duplicates',
    }));
    if (differing > this.#different.length)
      findings.push({ text: `… and ${number(differing - this.#different.length)} more of that kind`, stop: 'duplicates' });
    if (same > 0) findings.push({ text: `Repeated word for word, so counted once: ${counted(same, unit)}.` });
    return findings;
  }

  #noJson(unit: string): Finding[] {
    if (this.#unreadable === 0) return [];
    return [{ text: `No JSON object, so sure to fail: ${counted(this.#unreadable, unit)}.` }];
  }
}

const PAIR = ['import_supplier', 'external_account_number'];
const ownFieldsOf = (kind: OtherKind): string[] => [...fieldsOf(kind).fields.keys()].filter((name) => !PAIR.includes(name));
const fieldsShared = (kind: OtherKind): boolean => ownFieldsOf(kind).every((name) => fieldsOf('accounts').fields.has(name));

/** The endpoint whose request body a record is, if it is one and has nothing else that an account has. */
function otherKindOf(fields: Readonly<Record<string, unknown>>): OtherKind | undefined {
  const accountFields = Object.keys(fields).filter((name) => fieldsOf('accounts').fields.has(name) && !PAIR.includes(name));
  return OTHERS.find((kind) => {
    const own = ownFieldsOf(kind);
    return own.every((name) => Object.hasOwn(fields, name)) && accountFields.every((name) => own.includes(name));
  });
}

/** The names that `--allow` takes, comma-separated. */
export function allowedOf(text: string | undefined): ReadonlySet<Allowable> {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  return new Set(
    names.map((name) => {
      const known = [...ALLOWABLE.keys()].find((allowable) => allowable === name);
      if (!known) throw new UsageError(`--allow takes ${[...ALLOWABLE.keys()].join(', ')}, not "${name}".`);
      return known;
    }),
  );
}
