/**
 * The short way to a phone number's E.164 form: plain digits of the supplier's own country, by its numbering plan compiled once.
 * The library compiles its patterns again for each number, which is most of what validating a small account costs. What is not
 * plain is left to it, and a test holds both to the same answers. Pure.
 */
import type { MetadataJson } from 'libphonenumber-js/core';
import { PHONE_METADATA } from './phone-metadata';

/** A country's part of the library's metadata, by position. */
const POSITION = { callingCode: 0, idd: 1, general: 2, lengths: 3, prefix: 5, prefixForParsing: 7, leadingDigits: 10, types: 11 } as const;

interface Plan {
  readonly callingCode: string;
  readonly idd: RegExp;
  /** What a number is dialled with inside the country. */
  readonly prefix: RegExp | undefined;
  readonly general: RegExp;
  /** One for each kind of line. */
  readonly types: readonly RegExp[];
  /** Where numbers belong that begin so: other countries of the same calling code. */
  readonly others: readonly RegExp[];
}

let numberingPlans: MetadataJson | undefined;

/** The library's metadata: parsed when the first number is read, because a Worker's start is no time for 100 KB. */
export function phoneMetadata(): MetadataJson {
  const plans: MetadataJson = numberingPlans ?? JSON.parse(PHONE_METADATA);
  numberingPlans = plans;
  return plans;
}

/** Digits that spaces or hyphens part, the first of them perhaps in brackets or after a plus. */
const PLAIN = /^(?:\+\d|\(\d+\)|\d)(?:[ -]?\d)*$/;

const plans = new Map<string, Plan | undefined>();

/** The E.164 form, or undefined where the library has to be asked: it may still be a valid number. */
export function plainE164(text: string, country: string): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  if (!plans.has(country)) plans.set(country, planOf(country));
  const plan = plans.get(country);
  if (!plan) return undefined;
  const national = nationalNumber(text, plan);
  if (national === undefined || !plan.general.test(national) || !plan.types.some((type) => type.test(national))) return undefined;
  return plan.others.some((leading) => leading.test(national)) ? undefined : `+${plan.callingCode}${national}`;
}

function nationalNumber(text: string, { callingCode, idd, prefix }: Plan): string | undefined {
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+')) {
    const national = digits.startsWith(callingCode) ? digits.slice(callingCode.length) : '';
    return national === '' || prefix?.test(national) ? undefined : national;
  }
  if (digits.startsWith(callingCode) || idd.test(digits)) return undefined;
  const dialled = prefix?.exec(digits);
  if (!dialled) return digits;
  return dialled.slice(1).some((group) => group !== undefined) ? undefined : digits.slice(dialled[0].length);
}

/** Undefined for a country without a plan of its own, and for one that is not the first of its calling code. */
function planOf(country: string): Plan | undefined {
  const callingCode = textAt(country, POSITION.callingCode);
  const general = textAt(country, POSITION.general);
  const types = typesOf(country);
  const countries = listedUnder(callingCode);
  if (callingCode === '' || general === '' || types.length === 0 || countries[0] !== country) return undefined;
  if (textAt(country, POSITION.leadingDigits) !== '') return undefined;
  const prefix = textAt(country, POSITION.prefixForParsing) || textAt(country, POSITION.prefix);
  return {
    callingCode,
    idd: leading(textAt(country, POSITION.idd)),
    prefix: prefix === '' ? undefined : leading(prefix),
    general: whole(general),
    types,
    others: countries.map((other) => textAt(other, POSITION.leadingDigits)).flatMap((digits) => (digits === '' ? [] : [leading(digits)])),
  };
}

const leading = (pattern: string): RegExp => new RegExp(`^(?:${pattern})`);
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

const at = (country: string, position: number): unknown => Reflect.get(phoneMetadata().countries, country)?.[position];

function textAt(country: string, position: number): string {
  const value = at(country, position);
  return typeof value === 'string' ? value : '';
}

/** Patterns of the kinds of line, each bound to the lengths it may have. */
function typesOf(country: string): RegExp[] {
  const types = at(country, POSITION.types);
  if (!Array.isArray(types)) return [];
  return types.flatMap((type: unknown) => {
    const [pattern, lengths]: unknown[] = Array.isArray(type) ? type : [];
    if (typeof pattern !== 'string' || pattern === '') return [];
    const allowed: unknown = Array.isArray(lengths) ? lengths : at(country, POSITION.lengths);
    return Array.isArray(allowed) ? [whole(`(?=(?:${allowed.map((length) => `\\d{${length}}`).join('|')})$)(?:${pattern})`)] : [];
  });
}

function listedUnder(callingCode: string): string[] {
  const countries: unknown = Reflect.get(phoneMetadata().country_calling_codes, callingCode);
  return Array.isArray(countries) ? countries.map(String) : [];
}
