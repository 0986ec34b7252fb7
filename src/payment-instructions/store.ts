import {
  type AccountState,
  accountState,
  accountStateOf,
  additionOf,
  type Guard,
  guardOf,
  isUnchanged,
  stateAgain,
  type Target,
} from '../account-state';
import {
  and,
  columnsOf,
  commit,
  db,
  eq,
  importProcesses,
  inserting,
  insertSelect,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  sql,
  suppliers,
  type Values,
} from '../db';
import type { Deps } from '../deps';
import { recordCount } from '../events';
import type { Caller } from '../tokens';
import type { PaymentInstructionRow } from './instruction';

/** Inserts instructions of any number of accounts; those already stored stay as they are. */
const INSERT = inserting(paymentInstructions);

/** Instructions of an account payload: none of them has ended. */
export const insertPaymentInstructions = (rows: readonly PaymentInstructionRow[]) => INSERT(rows.map((row) => ({ ...row, endedAt: null })));

/** The position of the one active instruction of its type. */
const ACTIVE_POSITION = 0;

/** Which account and type a request is about; what is missing finds nothing. */
export interface Subject {
  readonly import_supplier?: string | undefined;
  readonly external_account_number?: string | undefined;
  readonly type?: string | undefined;
}

export interface StoredState extends AccountState {
  readonly active: ActiveRow | undefined;
}

interface ActiveOf {
  organisationId: string;
  supplierCode: string | null;
  externalAccountNumber: string | null;
  type: string | null;
}

const ACTIVE = prepared(($: Values<ActiveOf>) =>
  db
    .select({ vendor: paymentInstructions.vendor, reference: paymentInstructions.reference })
    .from(suppliers)
    .crossJoin(importProcesses)
    .crossJoin(paymentInstructions)
    .where(
      and(
        eq(suppliers.code, $.supplierCode),
        eq(suppliers.organisationId, $.organisationId),
        eq(importProcesses.supplierId, suppliers.id),
        eq(importProcesses.externalAccountNumber, $.externalAccountNumber),
        eq(paymentInstructions.accountId, importProcesses.id),
        eq(paymentInstructions.type, $.type),
        eq(paymentInstructions.position, ACTIVE_POSITION),
      ),
    ),
);

type ActiveRow = RowOfQuery<ReturnType<typeof ACTIVE>>;

/** What the request is validated by, in one trip. */
export async function loadState(
  deps: Deps,
  caller: Caller,
  { import_supplier, external_account_number, type }: Subject,
): Promise<StoredState> {
  const [rows, [active]] = await commit(deps.databaseOf(import_supplier), [
    accountState(caller, import_supplier, external_account_number),
    ACTIVE({
      organisationId: caller.organisationId,
      supplierCode: import_supplier ?? null,
      externalAccountNumber: external_account_number ?? null,
      type: type ?? null,
    }),
  ]);
  return { ...accountStateOf(rows), active };
}

const given = rowsOf('given', columnsOf(paymentInstructions));

const INSERT_ACTIVE = prepared(($: Values<{ rows: RowValues<typeof given> } & Guard>) =>
  insertSelect(paymentInstructions, given.row, sql`FROM ${given.from($.rows)} WHERE ${isUnchanged($)}`).onConflictDoNothing(),
);

/**
 * Makes the instruction the active one of its account and type, unless there is one or what it was validated by has changed.
 * Returns that as it is afterwards: it shows which.
 */
export async function storeActive(deps: Deps, target: Target, row: Omit<PaymentInstructionRow, 'position'>): Promise<StoredState> {
  const { caller, supplier, account } = target;
  const [, , rows, [active]] = await commit(deps.databaseOf(supplier.code), [
    INSERT_ACTIVE({ rows: given.value([{ ...row, position: ACTIVE_POSITION, endedAt: null }]), ...guardOf(target) }),
    recordCount(additionOf('payment_instruction.added', target, row.createdAt)),
    stateAgain(target),
    ACTIVE({
      organisationId: caller.organisationId,
      supplierCode: supplier.code,
      externalAccountNumber: account.externalAccountNumber,
      type: row.type,
    }),
  ]);
  return { ...accountStateOf(rows), active };
}
