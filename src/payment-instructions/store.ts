import { jsonParameters, statement, type Write } from '../db';
import type { PaymentInstructionRow } from './instruction';

const INSERT = `INSERT INTO payment_instructions (account_id, type, position, vendor, reference, details, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value -> 5, j.value ->> 6
  FROM json_each(?1) j WHERE true
  ON CONFLICT DO NOTHING`;

/** Inserts instructions of any number of accounts; those already stored stay as they are. */
export const insertPaymentInstructions = (rows: readonly PaymentInstructionRow[]): Write[] =>
  jsonParameters(rows.map((row) => [row.accountId, row.type, row.position, row.vendor, row.reference, row.details, row.createdAt])).map(
    (parameter) => statement(INSERT, parameter),
  );
