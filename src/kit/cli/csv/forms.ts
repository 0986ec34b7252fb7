/** The forms of dates and numbers in cells: what each one says about its file, and what it says once the forms are known. Pure. */

export type Decimal = ',' | '.';
export type DateOrder = 'dd/mm/yyyy' | 'mm/dd/yyyy';

export interface Forms {
  readonly decimal: Decimal;
  readonly dates: DateOrder;
}

/** What a cell says: a form for certain, that it has one of two, nothing, or that it cannot be read at all and why. */
export type Evidence<Form> =
  | { readonly kind: 'certain'; readonly form: Form }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string };

const NONE = { kind: 'none' } as const;
const AMBIGUOUS = { kind: 'ambiguous' } as const;

/** What a number says of the decimal sign: `12,50` a comma, `1.234` nothing for certain. */
export function decimalEvidence(text: string): Evidence<Decimal> {
  const bare = text.replace(/[\s\u00a0\u202f']/g, '').replace(/^[+-]/, '');
  if (!/^\d[\d.,]*$/.test(bare)) return NONE;
  const signs = bare.replace(/\d/g, '');
  if (signs === '') return NONE;
  const last = signs.endsWith(',') ? ',' : '.';
  const other = last === ',' ? '.' : ',';
  if (signs.includes(other)) return { kind: 'certain', form: last };
  if (signs.length > 1) return { kind: 'certain', form: other };
  const [whole = '', rest = ''] = bare.split(last);
  // Only three digits behind one to three others may be thousands.
  const maybeThousands = rest.length === 3 && whole.length <= 3 && !whole.startsWith('0');
  return maybeThousands ? AMBIGUOUS : { kind: 'certain', form: last };
}

const ORDERED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/;
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/;

/** What a date says of the order of day and month: `31/01/2026` the day first, `01/03/2026` nothing for certain. */
export function dateEvidence(text: string): Evidence<DateOrder> {
  const bare = text.trim();
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/.test(bare)) return { kind: 'refused', why: 'write the year with four digits' };
  if (/^\d{5}(?:[.,]\d+)?$/.test(bare))
    return { kind: 'refused', why: 'this is the number a spreadsheet keeps for a date: format the column as a date' };
  const [, first, , second] = ORDERED.exec(bare) ?? [];
  if (first === undefined || second === undefined || Number(first) === Number(second)) return NONE;
  if (Number(first) > 12) return { kind: 'certain', form: 'dd/mm/yyyy' };
  return Number(second) > 12 ? { kind: 'certain', form: 'mm/dd/yyyy' } : AMBIGUOUS;
}

/** A date as `YYYY-MM-DD`, with its time where it has one; any other text as it is, for the service to name. */
export function isoDate(text: string, { dates }: Forms): string {
  const bare = text.trim();
  const ordered = ORDERED.exec(bare);
  if (ordered) {
    const [, first = '', , second = '', year = '', time] = ordered;
    const [day, month] = dates === 'dd/mm/yyyy' ? [first, second] : [second, first];
    return joined(year, month, day, time);
  }
  const [, year, , month = '', day = '', time] = YEAR_FIRST.exec(bare) ?? [];
  return year === undefined ? bare : joined(year, month, day, time);
}

function joined(year: string, month: string, day: string, time: string | undefined): string {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return time === undefined ? date : `${date}T${time.length < 6 ? `${time}:00` : time}`.replace(/T(\d:)/, 'T0$1');
}

/** Sign, whole part, what is between its thousands, and what is behind the decimal sign. */
const WITH_COMMA = /^([+-]?)(\d{1,3}(?:([. '])\d{3}(?:\3\d{3})*)|\d+)(?:,(\d+))?$/;
const WITH_POINT = /^([+-]?)(\d{1,3}(?:([, '])\d{3}(?:\3\d{3})*)|\d+)(?:\.(\d+))?$/;

/** A number with a decimal point and nothing between its thousands; undefined where the text is no number of this form. */
export function plainNumber(text: string, { decimal }: Forms): string | undefined {
  const bare = text.trim().replace(/[\u00a0\u202f]/g, ' ');
  const [, sign = '', whole, , rest] = (decimal === ',' ? WITH_COMMA : WITH_POINT).exec(bare) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return `${sign === '-' ? '-' : ''}${digits}${rest === undefined ? '' : `.${rest}`}`;
}
