/**
 * Bank and card numbers are cut to their last four characters before anything is stored (§4.5). Pure.
 */

/** How many digits a card number has (ISO/IEC 7812). */
const CARD_NUMBER = /^\d{12,19}$/;
/** Names under which a card's security code goes; nobody may keep one (PCI DSS 3.3). */
const SECURITY_CODE = /^(?:cvc|cvv|cvv2|cvc2|cid|security_?code|verification_value|pin)$/i;

/**
 * A copy of an account, as sent, in which no payment instruction carries a full number: `account_number` and `iban` wherever
 * in the instruction they stand, and under `card` whatever could be a card's number. A card's security code, which is no field of
 * ours but might be sent, is left out. Cutting twice changes nothing more.
 */
export function redactBankDetails<T extends object>(account: T): T {
  const instructions: unknown = Reflect.get(account, 'payment_instructions');
  if (!Array.isArray(instructions)) return account;
  return { ...account, payment_instructions: instructions.map((instruction: unknown) => redacted(instruction, false)) };
}

function redacted(value: unknown, isCard: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, isCard));
  if (typeof value !== 'object' || value === null) return isCard && isCardNumber(value) ? lastFour(value) : value;
  const fields: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    if (isCard && SECURITY_CODE.test(key)) continue;
    const isFullNumber = (key === 'account_number' || key === 'iban') && isText(child);
    fields.push([key, isFullNumber ? lastFour(child) : redacted(child, isCard || key === 'card')]);
  }
  return Object.fromEntries(fields);
}

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const compact = (value: string | number): string => String(value).replace(/[\s-]/g, '');

const isCardNumber = (value: unknown): value is string | number => isText(value) && CARD_NUMBER.test(compact(value));

const lastFour = (value: string | number): string => compact(value).slice(-4);
