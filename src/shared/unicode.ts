/**
 * Text as this service accepts it (§2.1): well-formed Unicode without control characters. Pure.
 */

const UNFIT_LINE = /\p{Cc}|\p{Cs}/u;
const UNFIT_TEXT = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

/** True for one line of text: no control characters, no lone surrogates. */
export const isLine = (text: string): boolean => !UNFIT_LINE.test(text);

/** True for free text: as a line, but tab, CR and LF are allowed. */
export const isFreeText = (text: string): boolean => !UNFIT_TEXT.test(text);

/** True if the text has more than `max` characters (code points, not UTF-16 units). */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let count = 0;
  for (const _ of text) if (++count > max) return true;
  return false;
}

/** Bytes of the text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
