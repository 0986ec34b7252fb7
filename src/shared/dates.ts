/**
 * Calendar dates (`YYYY-MM-DD`) and instants (Unix milliseconds), both in UTC (§2.1). Pure: the clock is always an argument.
 */

const DATETIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;
export const MINUTE_MILLISECONDS = 60_000;
export const DAY_MILLISECONDS = 86_400_000;

/** The minute of an instant, counted from 1970. D1 binds every number as a REAL, so a minute that is stored is made whole before. */
export const minuteOf = (instant: number): number => Math.floor(instant / MINUTE_MILLISECONDS);
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** True for a date that exists in the calendar. */
export function isDate(text: string): boolean {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false;
  const [year, month, day] = [digitsAt(text, 0, 4), digitsAt(text, 5, 7), digitsAt(text, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** The number that the digits from `start` to `end` say; NaN if there is anything but digits. By hand: every date passes here. */
function digitsAt(text: string, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Reads an ISO 8601 datetime; without an offset it is UTC. Returns Unix milliseconds, or undefined if there is no such moment. */
export function instantOf(text: string): number | undefined {
  const plain = plainInstant(text);
  if (plain !== undefined) return plain;
  const parts = DATETIME.exec(text);
  if (!parts) return undefined;
  const [, date = '', hour, minute, second = '00', fraction = '', offset = 'Z'] = parts;
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}Z`);
  if (offset === 'Z') return local;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', '') || '0')];
  if (hours > 23 || minutes > 59) return undefined;
  const instant = local - (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  // An offset may lead out of the years that four digits can say.
  return instant < FIRST_INSTANT || instant > LAST_INSTANT ? undefined : instant;
}

/** `YYYY-MM-DDTHH:MM:SSZ`, as most are; undefined for anything else. By hand: see {@link digitsAt}. */
function plainInstant(text: string): number | undefined {
  if (text.length !== 20 || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':' || text[19] !== 'Z') return undefined;
  const [hour, minute, second] = [digitsAt(text, 11, 13), digitsAt(text, 14, 16), digitsAt(text, 17, 19)];
  return hour <= 23 && minute <= 59 && second <= 59 && isDate(text.slice(0, 10)) ? Date.parse(text) : undefined;
}

/** {@link instantOf} of a field that may be absent. */
export const instantIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : instantOf(text));

/** An instant as responses carry it: ISO 8601 with milliseconds and `Z`. */
export const isoInstant = (instant: number): string => new Date(instant).toISOString();

/** The day that was asked for last: nearly always the same one, today. */
let latest = { day: Number.NaN, date: '' };

/** The UTC date of an instant. */
export function dateOf(instant: number): string {
  const day = Math.floor(instant / DAY_MILLISECONDS);
  if (day !== latest.day) latest = { day, date: isoInstant(instant).slice(0, 10) };
  return latest.date;
}

/** The date `days` later (or earlier, if negative). */
export const addDays = (date: string, days: number): string => dateOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLISECONDS);
