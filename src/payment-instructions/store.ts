import { type AccountFacts, accountFacts, accountFactsOf, GUARD, guardParameters } from '../account-facts';
import { commit, ITEMS, jsonParameters, type Statement, statement, type Write } from '../db';
import type { Deps } from '../deps';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import type { PaymentInstructionRow } from './instruction';

const INSERT_ROWS = `INSERT INTO payment_instructions (account_id, type, position, vendor, reference, details, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value -> 5, j.value ->> 6
  FROM ${ITEMS} j`;
const INSERT = `${INSERT_ROWS} WHERE true ON CONFLICT DO NOTHING`;

const valuesOf = ({ accountId, type, position, vendor, reference, details, createdAt }: PaymentInstructionRow) => [
  accountId,
  type,
  position,
  vendor,
  reference,
  details,
  createdAt,
];

/** Inserts instructions of any number of accounts; those already stored stay as they are. */
export const insertPaymentInstructions = (rows: readonly PaymentInstructionRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT, parameter));

/** Which account and type a request is about; what is missing finds nothing. */
export interface Subject {
  readonly import_supplier?: string | undefined;
  readonly external_account_number?: string | undefined;
  readonly type?: string | undefined;
}

export interface StoredFacts extends AccountFacts {
  readonly active: ActiveRow | undefined;
}

interface ActiveRow {
  readonly vendor: string;
  readonly reference: string;
}

const ACTIVE = `SELECT i.vendor, i.reference
  FROM suppliers s
  CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = ?3
  CROSS JOIN payment_instructions i ON i.account_id = p.id AND i.type = ?4 AND i.position = 0
  WHERE s.code = ?1 AND s.organisation_id = ?2`;

const active = (caller: Caller, subject: Subject): Statement<ActiveRow> =>
  statement(ACTIVE, subject.import_supplier ?? null, caller.organisationId, subject.external_account_number ?? null, subject.type ?? null);

/** What judges the request, in one trip. */
export async function loadFacts(deps: Deps, caller: Caller, subject: Subject): Promise<StoredFacts> {
  const [facts, instructions] = await commit(deps.databaseOf(subject.import_supplier ?? ''), [
    accountFacts(caller, subject.import_supplier, subject.external_account_number),
    active(caller, subject),
  ]);
  return { ...accountFactsOf(facts), active: instructions[0] };
}

const INSERT_ACTIVE = `${INSERT_ROWS} WHERE ${GUARD} ON CONFLICT DO NOTHING`;

/**
 * Makes the instruction the active one of its account and type, unless there is one or what it was judged by has changed.
 * Returns the facts as they are afterwards: they tell which.
 */
export async function storeActive(
  deps: Deps,
  caller: Caller,
  supplier: Supplier,
  subject: Required<Subject>,
  row: Omit<PaymentInstructionRow, 'position'>,
): Promise<StoredFacts> {
  const [, facts, instructions] = await commit(deps.databaseOf(supplier.code), [
    statement(INSERT_ACTIVE, JSON.stringify([valuesOf({ ...row, position: 0 })]), ...guardParameters(caller, supplier)),
    accountFacts(caller, subject.import_supplier, subject.external_account_number),
    active(caller, subject),
  ]);
  return { ...accountFactsOf(facts), active: instructions[0] };
}
