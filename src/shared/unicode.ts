/**
 * Text as this service accepts it (§2.1): well-formed Unicode without control characters. Pure.
 */
import type { Problem } from './errors';

export const INVALID_TEXT: Problem = { code: 'invalid', detail: 'Take control characters and lone surrogates out.' };

const UNFIT_LINE = /\p{Cc}|\p{Cs}/u;
const UNFIT_TEXT = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

/** True for one line of text: no control characters, no lone surrogates. */
export const isLine = (text: string): boolean => isShortAndPlain(text) || !UNFIT_LINE.test(text);

/** True for free text: as a line, but tab, CR and LF are allowed. */
export const isFreeText = (text: string): boolean => isShortAndPlain(text) || !UNFIT_TEXT.test(text);

/** True for a few plain characters, as most values are: looking at them is sooner done than asking a pattern. */
function isShortAndPlain(text: string): boolean {
  if (text.length > 64) return false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e) return false;
  }
  return true;
}

const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800`;
const NOTHING_TO_SEE = new RegExp(String.raw`^[\s${INVISIBLE}]*$`, 'u');
const SOMETHING_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u');

/** True for text of nothing but white space and characters that nobody sees. */
export const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f) && NOTHING_TO_SEE.test(text);

/** True if some of the text is not to be seen: format characters, fillers, separators of lines. */
export const holdsInvisible = (text: string): boolean => SOMETHING_INVISIBLE.test(text);

/** Written before or after text by editors, and seen by nobody: text with it and text without it look the same. */
const BYTE_ORDER_MARK = '\ufeff';

export const hasOuterByteOrderMark = (text: string): boolean => text.startsWith(BYTE_ORDER_MARK) || text.endsWith(BYTE_ORDER_MARK);

/** True if the text has more than `max` characters (code points, not UTF-16 units). */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let count = 0;
  for (const _ of text) if (++count > max) return true;
  return false;
}

/** Bytes of the text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
