/**
 * What a valid account payload means for the tables: its customers, its open statement period, its payment instructions. Pure.
 */
import { withoutFullNumbers } from '../../payment-instructions';
import { undocumentedOf } from '../../shared/shape';
import { type BillingCycle, firstOpenDay } from '../../transactions';
import type { Account } from '../schema';
import type { PhoneNumbers } from '../validation/rules-phones';
import { alternativePhones } from './schema-customers';

/** A customer as stored: numbers as sent, and in E.164 beside it. */
export interface CustomerRow {
  readonly position: number;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly mobileE164: string | null;
  readonly landline: string | null;
  readonly landlineE164: string | null;
  readonly alternativePhoneNumbers: readonly { readonly phone_number: string; readonly e164: string | null }[] | null;
  readonly dateOfBirth: string | null;
  /** All fields without a column, documented or not; null if there are none. */
  readonly details: object | null;
}

/** `numbers` as the validation read them. */
export const customersOf = (account: Account, numbers: PhoneNumbers): CustomerRow[] =>
  (account.customers ?? []).map((customer, position) => {
    const { given_name, family_name, email, mobile, landline, alternative_phone_numbers, date_of_birth, ...others } = customer;
    const besideNumbers = undocumentedOf(alternativePhones, alternative_phone_numbers);
    const details = { ...others, ...(besideNumbers ? { alternative_phone_numbers: besideNumbers } : {}) };
    const e164 = (text: string | undefined) => (text === undefined ? null : (numbers.get(text) ?? null));
    return {
      position,
      givenName: given_name ?? null,
      familyName: family_name ?? null,
      email: email ?? null,
      mobile: mobile ?? null,
      mobileE164: e164(mobile),
      landline: landline ?? null,
      landlineE164: e164(landline),
      alternativePhoneNumbers: alternative_phone_numbers?.map(({ phone_number }) => ({ phone_number, e164: e164(phone_number) })) ?? null,
      dateOfBirth: date_of_birth ?? null,
      details: Object.keys(details).length > 0 ? details : null,
    };
  });

/** An account's billing cycle and the first day of its open statement period. `createdOn` is the date it is created on. */
export function openPeriodOf(account: Account, createdOn: string): BillingCycle & { readonly periodFrom: string } {
  const options = account.account_billing_options ?? {};
  const cycle = {
    cycleMonths: (options.period_length === 'QUARTERLY' ? 3 : 1) * (options.period_length_multiplier ?? 1),
    cycleStartMonth: options.period_start_month ?? 1,
    cycleStartDay: options.period_start_day ?? 1,
  };
  const newestBillPeriodTo = account.statements
    ?.map(({ bill_period_to_date }) => bill_period_to_date)
    .reduce((newest, date) => (date > newest ? date : newest));
  return { ...cycle, periodFrom: firstOpenDay({ lastBilledTo: account.last_billed_to_date, newestBillPeriodTo, createdOn }, cycle) };
}

/** A payment instruction of a payload: stored, but never active. Position 0 is the active one, so these count from 1. */
export interface PayloadInstruction {
  readonly type: string;
  readonly position: number;
  readonly vendor: string;
  readonly reference: string | null;
  /** The other fields as they were sent, documented or not, without full numbers. */
  readonly details: object;
}

export const payloadInstructionsOf = (account: Account): PayloadInstruction[] =>
  (account.payment_instructions ?? []).map((instruction, index) => {
    const { type, vendor, reference, ...details } = withoutFullNumbers(instruction, 'instruction');
    return { type, position: index + 1, vendor, reference: reference ?? null, details };
  });
