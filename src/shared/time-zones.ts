/**
 * Calendar dates at a place on earth, by its IANA time zone (`Australia/Sydney`). Pure: the clock is always an argument.
 */
import { dateOf } from './dates';

/** The zone of every supplier that names none; its dates need no formatter. */
export const UTC = 'UTC';

// Making a formatter takes a thousand times as long as using it. Only zones that exist are here, so the map stays small.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

/** True for the name of a time zone that this runtime knows. An offset (`+10:00`) is none. */
export const isTimeZone = (name: string): boolean => name === UTC || formatterOf(name) !== undefined;

/** The date of an instant (Unix milliseconds) in a time zone. Throws on a zone that {@link isTimeZone} does not know. */
export function dateIn(instant: number, timeZone: string): string {
  if (timeZone === UTC) return dateOf(instant);
  const formatter = formatterOf(timeZone);
  if (!formatter) throw new Error('there is no such time zone');
  const parts = new Map(formatter.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Names begin with a letter, and the longest one of IANA has 32 characters. */
const NAME = /^[A-Za-z][\w+/-]{1,63}$/;

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = FORMATTERS.get(timeZone);
  if (known || !NAME.test(timeZone)) return known;
  try {
    const made = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    FORMATTERS.set(timeZone, made);
    return made;
  } catch {
    // A name of no zone.
    return undefined;
  }
}
