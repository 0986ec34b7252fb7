import { ITEMS, jsonParameters, statement, type Write } from '../db';
import type { BillingCycle } from '../transactions';
import type { CustomerRow } from './reading';

/** An account as it is stored: the facts later additions are judged by. Its other data stay in its document. */
export interface AccountRow extends BillingCycle {
  /** The id of its import process. */
  readonly id: number;
  readonly supplierId: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly periodFrom: string;
}

const INSERT_ACCOUNTS = `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM ${ITEMS} WHERE true ON CONFLICT DO NOTHING`;

export const insertAccounts = (rows: readonly AccountRow[]): Write[] =>
  jsonParameters(
    rows.map((row) => [row.id, row.supplierId, row.createdAt, row.periodFrom, row.cycleMonths, row.cycleStartMonth, row.cycleStartDay]),
  ).map((parameter) => statement(INSERT_ACCOUNTS, parameter));

const INSERT_CUSTOMERS = `INSERT INTO customers (account_id, position, given_name, family_name, email, mobile, mobile_e164, landline,
    landline_e164, alternative_phone_numbers, date_of_birth, details)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
    value ->> 10, value ->> 11
  FROM ${ITEMS} WHERE true ON CONFLICT DO NOTHING`;

export const insertCustomers = (rows: readonly (CustomerRow & { readonly accountId: number })[]): Write[] =>
  jsonParameters(
    rows.map((row) => [
      row.accountId,
      row.position,
      row.givenName,
      row.familyName,
      row.email,
      row.mobile,
      row.mobileE164,
      row.landline,
      row.landlineE164,
      row.alternativePhoneNumbers,
      row.dateOfBirth,
      row.details,
    ]),
  ).map((parameter) => statement(INSERT_CUSTOMERS, parameter));
