/**
 * Full card and account numbers of an account are cut to their last four before anything is stored (§4.5). Pure.
 */
import { withoutFullNumbers } from '../../payment-instructions';

/**
 * A copy of an account, as sent, without full numbers in what is payment data: its instructions, bank accounts and cards, wherever
 * in the account they are. Security codes of cards are left out. Cutting twice changes nothing more.
 */
export const redactBankDetails = <T extends object>(account: T): T => withoutFullNumbers(account, 'account');

/**
 * False only if no field of the text can be payment data, so that the text may be stored as it was sent: not under any spelling,
 * escaped, or under a key that is sent twice. A word of ours that ends in a quote without a colon is no key.
 */
export const mayHoldBankDetails = (text: string): boolean => PAYMENT_KEY.test(text) || ESCAPED_LETTER.test(text);

const PAYMENT_KEY =
  /(?:instruction|bank|card|iban|cv[cv]|"pan|payment.{0,6}(?:method|detail)|direct.{0,6}debit)(?:[^"\\]{64}|[^"\\]{0,63}(?:\\|"\s*:))/i;
const ESCAPED_LETTER = /\\u00(?:3\d|[46][1-9a-f]|[57][\da])/i;
