import { ITEMS, jsonParameters, type RowOf, type Statement, statement, type Write } from '../db';
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

const INSERT_ACCOUNTS = `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day, has_all_fields, is_listed)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, 1, 1
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

// Rows that were posted since are left out: by their source, by their moment, or by their position.
const PAYLOAD_ROWS = `SELECT a.id, a.has_all_fields,
    (SELECT count(*) FROM customers c WHERE c.account_id = a.id) AS customers,
    (SELECT count(*) FROM notes n WHERE n.account_id = a.id AND n.source = 0) AS notes,
    (SELECT count(*) FROM transactions t WHERE t.account_id = a.id AND t.source IN (0, 1)) AS transactions,
    (SELECT count(*) FROM statements s WHERE s.account_id = a.id AND s.created_at = a.created_at) AS statements,
    (SELECT count(*) FROM payment_instructions i WHERE i.account_id = a.id AND i.position > 0) AS payment_instructions
  FROM json_each(?1) j CROSS JOIN accounts a ON a.id = j.value`;

/** How many rows an account has of its payload. */
export interface PayloadRowsRow extends RowOf<'accounts', 'id' | 'has_all_fields'> {
  readonly customers: number;
  readonly notes: number;
  readonly transactions: number;
  readonly statements: number;
  readonly payment_instructions: number;
}

export const payloadRows = (ids: readonly number[]): Statement<PayloadRowsRow> => statement(PAYLOAD_ROWS, JSON.stringify(ids));
