/** What the cells of all sheets say together: of dates and numbers, and of what a spreadsheet has done to them. */
import { UsageError } from '../exit';
import type { Finding } from '../guard/finding';
import { number } from '../progress';
import { type Column, cellName } from './cell';
import { type DateOrder, type Decimal, dateEvidence, decimalEvidence, type Evidence, type Forms } from './forms';

export interface Asked {
  readonly dates: DateOrder | undefined;
  readonly decimal: Decimal | undefined;
}

/** A cell that says something, as a person finds it. */
interface Witness {
  readonly text: string;
  readonly cell: string;
}

/** A number that a spreadsheet has shortened: its last digits are gone. */
const SCIENTIFIC = /^\s*[+-]?\d(?:[.,]\d+)?E[+-]\d+\s*$/i;

export class CellEvidence {
  readonly #dates = new Witnesses<DateOrder>();
  readonly #decimals = new Witnesses<Decimal>();
  readonly #lengths = new Map<Column, Lengths>();
  #scientific = 0;
  #firstScientific: Witness | undefined;

  take(sheet: string, row: number, column: Column, text: string): void {
    const witness = () => ({ text: text.trim(), cell: cellName(sheet, row, column) });
    const kind = column.field?.shape === 'value' ? column.field.kind : 'text';
    if (SCIENTIFIC.test(text)) {
      this.#scientific++;
      this.#firstScientific ??= witness();
    } else if (kind === 'date' || kind === 'datetime') this.#dates.take(dateEvidence(text), witness);
    else if (kind === 'decimal' || kind === 'number') this.#decimals.take(decimalEvidence(text), witness);
    else if (kind === 'text') {
      const lengths = this.#lengths.get(column) ?? new Lengths();
      this.#lengths.set(column, lengths);
      lengths.take(text, witness);
    }
  }

  /** Throws {@link UsageError} with the flag that answers, where what was found leaves a form open. */
  forms(asked: Asked): Forms {
    return {
      dates: this.#dates.decide('--dates', asked.dates, 'dd/mm/yyyy', 'mm/dd/yyyy'),
      decimal: this.#decimals.decide('--decimal', asked.decimal, '.', ','),
    };
  }

  findings(asked: Asked): Finding[] {
    const findings: Finding[] = [];
    const [date, decimal] = [this.#dates.witness, this.#decimals.witness];
    if (!asked.dates && date) findings.push({ text: `Dates are read as ${date.form}, because of ${date.text} in ${date.cell}` });
    if (!asked.decimal && decimal?.form === ',')
      findings.push({ text: `The decimal sign is a comma, because of ${decimal.text} in ${decimal.cell}` });
    if (this.#firstScientific) {
      const { text, cell } = this.#firstScientific;
      const others = this.#scientific > 1 ? ` and in ${number(this.#scientific - 1)} more cells` : '';
      findings.push({
        text: `A spreadsheet has cut digits off: ${text} in ${cell}${others}. Format the column as text and export again`,
        stop: 'scientific-numbers',
      });
    }
    for (const lengths of this.#lengths.values()) findings.push(...lengths.findings());
    return findings;
  }
}

class Witnesses<Form extends string> {
  readonly #certain = new Map<Form, Witness>();
  #ambiguous: Witness | undefined;

  get witness(): (Witness & { readonly form: Form }) | undefined {
    const [first] = this.#certain;
    return first && { form: first[0], ...first[1] };
  }

  take(evidence: Evidence<Form>, witness: () => Witness): void {
    switch (evidence.kind) {
      case 'certain':
        if (!this.#certain.has(evidence.form)) this.#certain.set(evidence.form, witness());
        break;
      case 'ambiguous':
        this.#ambiguous ??= witness();
        break;
      case 'refused':
        throw new UsageError(`${witness().cell} is "${witness().text}": ${evidence.why}.`);
      case 'none':
    }
  }

  decide(flag: string, asked: Form | undefined, one: Form, other: Form): Form {
    const [first, second] = [...this.#certain];
    const other_ = asked && [...this.#certain].find(([form]) => form !== asked);
    if (asked && other_)
      throw new UsageError(`${other_[1].text} in ${other_[1].cell} is not in the form that ${flag} ${asked} says: put it right.`);
    if (asked) return asked;
    if (first && second) {
      const words = `${first[1].text} in ${first[1].cell} says ${first[0]}, but ${second[1].text} in ${second[1].cell} says ${second[0]}`;
      throw new UsageError(`${words}: write all of them in one form.`);
    }
    if (!first && this.#ambiguous) {
      const { text, cell } = this.#ambiguous;
      throw new UsageError(`${text} in ${cell} can be read in two ways. Say which: ${flag} ${one} or ${flag} ${other}`);
    }
    return first?.[0] ?? one;
  }
}

/** From so many digits on, numbers are rather names of a fixed length than counts. */
const NAME_DIGITS = 6;

/** The lengths of a column's values, as long as all of them are digits only. */
class Lengths {
  readonly #counts = new Map<number, { count: number; readonly first: Witness }>();
  #isExempt = false;

  take(text: string, witness: () => Witness): void {
    if (this.#isExempt) return;
    const bare = text.trim();
    // A leading zero shows that they are still there.
    this.#isExempt = !/^[1-9]\d*$/.test(bare);
    const known = this.#counts.get(bare.length);
    if (known) known.count++;
    else if (!this.#isExempt) this.#counts.set(bare.length, { count: 1, first: witness() });
  }

  findings(): Finding[] {
    const longest = Math.max(...this.#counts.keys());
    const total = [...this.#counts.values()].reduce((sum, { count }) => sum + count, 0);
    const usual = this.#counts.get(longest)?.count ?? 0;
    if (this.#isExempt || longest < NAME_DIGITS || usual === total || usual * 2 < total || usual < 2) return [];
    const [shorter] = [...this.#counts].filter(([length]) => length < longest).map(([, found]) => found.first);
    const words = `${number(total - usual)} of ${number(total)} numbers of a column have fewer than ${longest} digits, the first ${shorter?.text} in ${shorter?.cell}`;
    return [
      {
        text: `${words}: a spreadsheet may have taken leading zeros away. Format the column as text and export again`,
        stop: 'short-numbers',
      },
    ];
  }
}
