/**
 * What makes an account right beyond its single fields (§4.5). Pure: a check whose input is missing or refused is left out.
 */

import { noteErrors } from '../../notes/pure';
import { dateOf, instantIn } from '../../shared/dates';
import { type FieldError, fieldError, MAX_ERRORS, NO_ERRORS, type Path } from '../../shared/errors';
import { isRefused } from '../../shared/parse';
import { periodErrors } from '../../shared/periods';
import { isBlank } from '../../shared/unicode';
import { statementErrors } from '../../statements/pure';
import type { SupplierConfiguration } from '../../suppliers';
import { duplicateTransactionErrors, transactionErrors } from '../../transactions/pure';
import type { AccountDraft } from '../schema';
import { balanceErrors, closingDateErrors, transactionLists } from './rules-balances';
import { type PhoneNumbers, phoneErrors } from './rules-phones';

/**
 * Validates an account as a whole. `raw` is the account as sent; `now` in Unix milliseconds. Without a configuration (unknown
 * supplier) the rules that need one are left out; so are those of phone numbers that were not read.
 */
export function accountErrors(
  raw: object,
  account: AccountDraft,
  configuration: SupplierConfiguration | undefined,
  numbers: PhoneNumbers | undefined,
  now: number,
): FieldError[] {
  const lists = transactionLists(raw, account);
  const checks: readonly (() => readonly FieldError[])[] = [
    () => occupierErrors(account),
    () => addressErrors(account),
    () => customerErrors(account, dateOf(now)),
    () => (numbers ? phoneErrors(account.customers, numbers) : NO_ERRORS),
    () => meterPointErrors(account),
    () => supplyPeriodErrors(account),
    ...lists.map((list) => () => transactionErrors(list, configuration)),
    () => duplicateTransactionErrors(lists),
    () => closingDateErrors(account),
    () => balanceErrors(account),
    () => account.notes?.flatMap((note, index) => (note ? noteErrors(['notes', index], note) : NO_ERRORS)) ?? NO_ERRORS,
    () => (account.statements ? statementErrors(['statements'], account.statements) : NO_ERRORS),
    () => windowErrors(account.task_params, now),
  ];
  const errors: FieldError[] = [];
  for (const check of checks) {
    // What comes after that many is not listed (`errors.ts`), so it need not be found.
    if (errors.length >= MAX_ERRORS) break;
    for (const error of check()) errors.push(error);
  }
  return errors;
}

function occupierErrors({ unknown_occupier, customers }: AccountDraft): readonly FieldError[] {
  if (unknown_occupier !== true || !customers) return NO_ERRORS;
  return [fieldError(['customers'], 'customers_not_allowed', 'Leave the customers out, or send the account without unknown_occupier.')];
}

const LINES = ['address1', 'address2', 'address3', 'address4', 'address5', 'postcode'];

/** An address is an object or single lines; `prefix` is what the names of the lines begin with. */
function isGivenTwice(holder: object, field: string, prefix: string): boolean {
  return Reflect.get(holder, field) !== undefined && LINES.some((name) => Reflect.get(holder, `${prefix}_${name}`) !== undefined);
}

function addressErrors(account: AccountDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const twice = (path: Path) =>
    errors.push(fieldError(path, 'address_given_twice', 'Give the address as an object or as single lines, not both.'));
  if (isGivenTwice(account, 'billing_address', 'billing')) twice(['billing_address']);
  account.supply_addresses?.forEach((supply, index) => {
    if (supply && isGivenTwice(supply, 'supply_address', 'supply')) twice(['supply_addresses', index, 'supply_address']);
  });
  return errors;
}

/** `today` is the UTC date. */
function customerErrors({ customers }: AccountDraft, today: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  customers?.forEach((customer, index) => {
    if (!customer) return;
    if (hasNone(customer, 'given_name', 'family_name')) {
      errors.push(fieldError(['customers', index, 'non_field_errors'], 'required', 'Give the customer a given name or a family name.'));
    }
    if (customer.date_of_birth !== undefined && customer.date_of_birth > today) {
      errors.push(fieldError(['customers', index, 'date_of_birth'], 'invalid_date', 'Enter a date of birth that is not in the future.'));
    }
  });
  return errors;
}

function meterPointErrors({ supply_addresses }: AccountDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  supply_addresses?.forEach((supply, index) => {
    supply?.meter_points?.forEach((point, position) => {
      if (!point || !hasNone(point, 'identifier', 'mpxn')) return;
      const path = ['supply_addresses', index, 'meter_points', position, 'non_field_errors'];
      errors.push(fieldError(path, 'required', 'Give the meter point an identifier or an mpxn.'));
    });
  });
  return errors;
}

function supplyPeriodErrors({ supply_addresses }: AccountDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  supply_addresses?.forEach((supply, index) => {
    const check = (steps: Path, from: string | undefined, to: string | undefined) => {
      for (const error of periodErrors(() => ['supply_addresses', index, ...steps], from, to)) errors.push(error);
    };
    const to = 'customer_at_supply_address_to_date';
    check([to], supply?.customer_at_supply_address_from_date, supply?.[to]);
    supply?.meter_points?.forEach((point, position) => {
      check(['meter_points', position, 'supply_end_date'], point?.supply_start_date, point?.supply_end_date);
      point?.agreements?.forEach((agreement, place) => {
        check(['meter_points', position, 'agreements', place, 'effective_to'], agreement?.effective_from, agreement?.effective_to);
      });
    });
  });
  return errors;
}

/** True if none of the fields says anything; a refused one may have been meant to. */
const hasNone = (holder: object, ...fields: string[]): boolean =>
  fields.every((field) => {
    const text: unknown = Reflect.get(holder, field);
    return !isRefused(holder, field) && (typeof text !== 'string' || isBlank(text));
  });

function windowErrors(taskParams: AccountDraft['task_params'], now: number): readonly FieldError[] {
  const end = instantIn(taskParams?.schedule_window_end);
  if (end === undefined) return NO_ERRORS;
  const start = instantIn(taskParams?.schedule_window_start);
  const path = ['task_params', 'schedule_window_end'];
  if (start !== undefined && end <= start) return [fieldError(path, 'invalid', 'The window must end after it starts.')];
  return end <= now ? [fieldError(path, 'invalid', 'Enter a window that is not over yet.')] : NO_ERRORS;
}
