/**
 * Full card and account numbers are cut to their last four before payment data is stored, and security codes of cards are left
 * out (PCI DSS 3.3): whatever the fields are called and however deep they lie. Pure.
 */
import { cutFullNumbers, holdsFullNumber, lastFour, withoutSeparators } from '../shared/full-numbers';
import { isObject } from '../shared/shape';

/** What a value belongs to. `none` is no payment data; `number` is an account number or IBAN, whatever it looks like. */
type Scope = 'none' | 'payment' | 'bank' | 'card' | 'number';
/** What a field's name says of its value: what that belongs to, that it is a bank account or its number, or that nobody may store it. */
type Meaning = Scope | 'account' | 'secret';

// Names as {@link meaningOfName} compares them: letters and digits only, in lower case.
const SECRET = /cvv|cvc|cardsecurity|cardverification/;
const SECRET_INSIDE =
  /^(?:cid|csc|cvn2?|cvd2?|cav2?|cve|pin\d?|pincode|pinnumber|pinblock|passcode|security(?:code|number|value)|(?:verification|validation)(?:code|value|number)|track[123]?(?:data)?|trackdata[123]?|magstripe|magneticstripe(?:data)?)$/;
const NUMBER = /^iban|iban$|bankaccount(?:number|num|no|nr)$/;
const NUMBER_INSIDE = /^(?!external|platform).*(?:account|acct|acc)(?:number|num|no|nr)$|bban/;
const NUMBER_IN_BANK = /^(?:number|num|no|nr)$/;
const CARD = /^cards?$|(?:credit|debit|payment|bank)card|card(?:number|num|no|nr|pan|detail|data|info)|^pan$/;
const CARD_INSIDE = /card|^[df]?pan$/;
const ACCOUNT = /bankaccounts?$/;
const ACCOUNT_INSIDE = /^(?:accounts?|acct|acc)$/;
const BANK = /^banks?$|bank(?:account|detail|info|data)/;
const PAYMENT = /paymentinstruction|paymentmethod|paymentdetail|directdebit/;

/**
 * A payment instruction without full numbers, or an account without those of its payment data, wherever that lies: itself if there
 * are none. Within payment data card numbers and IBANs are known by their check digits in any field, account numbers by the
 * names of theirs. Cutting twice changes nothing more.
 */
export function withoutFullNumbers<T extends object>(value: T, kind: 'account' | 'instruction'): T {
  // What is cut stays in its place, numbers as text.
  return redacted(value, kind === 'account' ? 'none' : 'payment') as T;
}

function redacted(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return redactedList(value, scope);
  if (isObject(value)) return redactedObject(value, scope);
  return typeof value === 'string' || typeof value === 'number' ? redactedText(value, scope) : value;
}

function redactedList(list: readonly unknown[], scope: Scope): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const part = redacted(list[i], scope);
    if (part === list[i]) continue;
    copy ??= [...list];
    copy[i] = part;
  }
  return copy ?? list;
}

function redactedObject(object: Readonly<Record<string, unknown>>, scope: Scope): unknown {
  // Before anything below is looked at: once at each depth.
  if (scope !== 'none' && Object.keys(object).some(holdsFullNumber)) return renamed(object, scope);
  let copy: Record<string, unknown> | undefined;
  for (const key in object) {
    const value = object[key];
    // Nearly all of an account is no payment data, and has no name of any.
    const isPlain = scope === 'none' && (value === null || typeof value !== 'object') && meaningOf(key, scope) === 'none';
    if (isPlain) continue;
    const part = redactedField(nameOf(object, key, scope), value, scope);
    if (part === value) continue;
    copy ??= { ...object };
    if (part === undefined) delete copy[key];
    else copy[key] = part;
  }
  return copy ?? object;
}

/** The object where one of its names is a full number. Two that end alike get different names. */
function renamed(object: Readonly<Record<string, unknown>>, scope: Scope): unknown {
  const fields = new Map<string, unknown>();
  for (const key of Object.keys(object)) {
    const part = redactedField(nameOf(object, key, scope), object[key], scope);
    if (part === undefined) continue;
    let name = cutFullNumbers(key);
    while (fields.has(name)) name += "'";
    fields.set(name, part);
  }
  return Object.fromEntries(fields);
}

/** Undefined for what nobody may store. */
function redactedField(name: string, value: unknown, scope: Scope): unknown {
  const meaning = meaningOf(name, scope);
  if (meaning === 'secret') return /\p{Nd}/u.test(JSON.stringify(value)) ? undefined : value;
  if (meaning !== 'account') return redacted(value, meaning);
  return redacted(value, isObject(value) || Array.isArray(value) || !hasManyDigits(value) ? 'bank' : 'number');
}

/** In a pair like `{"key": "cvc", "value": "123"}` the value goes by the name beside it. */
function nameOf(object: Readonly<Record<string, unknown>>, key: string, scope: Scope): string {
  const name = key === 'value' && scope !== 'none' ? (object['key'] ?? object['name']) : undefined;
  return typeof name === 'string' ? name : key;
}

const MOST_NAMES = 2_000;
const LONGEST_NAME = 64;
const MEANINGS: Readonly<Record<Scope, Map<string, Meaning>>> = {
  none: new Map(),
  payment: new Map(),
  bank: new Map(),
  card: new Map(),
  number: new Map(),
};

/** Remembered within bounds: an import has few names, and many of each. */
function meaningOf(name: string, scope: Scope): Meaning {
  const meanings = MEANINGS[scope];
  let meaning = meanings.get(name);
  if (!meaning) {
    meaning = meaningOfName(name.replace(/[^a-z\d]/gi, '').toLowerCase(), scope);
    if (meanings.size >= MOST_NAMES) meanings.clear();
    if (name.length <= LONGEST_NAME) meanings.set(name, meaning);
  }
  return meaning;
}

function meaningOfName(name: string, scope: Scope): Meaning {
  const isInside = scope !== 'none';
  if (SECRET.test(name) || (isInside && SECRET_INSIDE.test(name))) return 'secret';
  if (scope === 'number' || NUMBER.test(name) || (isInside && NUMBER_INSIDE.test(name))) return 'number';
  if (scope === 'bank' && NUMBER_IN_BANK.test(name)) return 'number';
  if ((isInside ? CARD_INSIDE : CARD).test(name)) return 'card';
  if (ACCOUNT.test(name) || (isInside && ACCOUNT_INSIDE.test(name))) return 'account';
  if (BANK.test(name)) return 'bank';
  return !isInside && PAYMENT.test(name) ? 'payment' : scope;
}

/** `"bank_account": "55779911"` is the number itself, `"account": "main"` names one. */
const hasManyDigits = (value: unknown): boolean => (String(value).match(/\p{Nd}/gu)?.length ?? 0) >= 6;

/** Under a card more is cut than what has the right check digit: nothing else there has so many digits. */
const CARD_LENGTH = /^\p{Nd}{12,19}$/u;

function redactedText(value: string | number, scope: Scope): string | number {
  if (scope === 'none') return value;
  const text = typeof value === 'number' ? String(Math.trunc(value)) : value;
  const cut = scope === 'number' ? lastFour(text) : cutFullNumbers(text);
  const rest = scope === 'card' && CARD_LENGTH.test(withoutSeparators(cut)) ? lastFour(cut) : cut;
  return rest === text ? value : rest;
}
