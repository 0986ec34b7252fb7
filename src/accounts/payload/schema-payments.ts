import * as z from 'zod';
import { amount, choice, date, dateOrDatetime, integer, line, optional, optionalChoice, requiredLine } from '../../shared/fields';
import { checked } from '../../shared/reader';
import { MAX_TEXT } from './schema-common';

/** The last digits of a card: never so many that the card could be guessed. */
const lastDigits = checked(
  z.string(),
  (text) => (text === '' || /^\d{1,4}$/.test(text) ? undefined : { code: 'invalid', detail: 'Enter at most the last four digits.' }),
  { format: 'digits', maxLength: 4 },
);

/** §4.5, stored as given; the vendor is not asked. */
export const payloadInstructionItem = z.object({
  vendor: requiredLine(64),
  type: choice(['CARD', 'DIRECT_DEBIT', 'BPAY', 'CUSTOM', 'PAYMENT_SLIP']),
  reference: optional(line(512)),
  valid_from: optional(dateOrDatetime),
  card: optional(
    z.looseObject({
      last_digits: optional(lastDigits),
      expiry_month: optional(integer(1, 12)),
      expiry_year: optional(integer(2_000, 9_999)),
    }),
  ),
  bank_account: optional(
    z.object({
      account_holder: optional(line(MAX_TEXT)),
      account_number: optional(line(MAX_TEXT)),
      sort_code: optional(line(MAX_TEXT)),
      bsb: optional(line(MAX_TEXT)),
      iban: optional(line(MAX_TEXT)),
    }),
  ),
});

export const paymentScheduleItem = z.object({
  means: choice(['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP']),
  start_date: date,
  amount: optional(amount),
  frequency: optionalChoice(['WEEKLY', 'FORTNIGHTLY', 'FOUR_WEEKLY', 'MONTHLY', 'QUARTERLY', 'SIX_MONTHLY', 'ANNUALLY']),
  day_of_month: optional(integer(1, 31)),
});
