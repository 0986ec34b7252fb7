/**
 * What each type of transaction requires and allows (§2.4). Pure.
 */

import type { FieldCode } from '../shared/error-codes';
import { type FieldError, fieldError, type Path } from '../shared/errors';
import { minorUnits } from '../shared/money';
import { periodErrors } from '../shared/periods';
import { isBlank } from '../shared/unicode';
import type { SupplierConfiguration } from '../suppliers';
import type { TransactionDraft } from './schema';
import { PAYMENT_TYPES, REASONS } from './vocabulary';

type Reasons = Pick<SupplierConfiguration, 'extra_charge_reasons' | 'extra_credit_reasons'>;

/** A list of transactions and the path that leads to it. */
export interface TransactionList {
  readonly path: Path;
  readonly items: readonly (TransactionDraft | undefined)[];
}

const NOT_A_CHOICE = 'This is not a valid choice for this type of transaction.';

/** Validates a list of transactions by itself; `path` leads to the list. */
export const transactionListErrors = (list: TransactionList, configuration: Reasons | undefined): FieldError[] => [
  ...transactionErrors(list, configuration),
  ...duplicateTransactionErrors([list]),
];

/**
 * Validates each transaction of a list. Codes: `required`, `invalid_choice`, `min_value`, `period_ends_before_it_starts`. Without a
 * configuration (unknown supplier) reasons that only a supplier could allow are not validated.
 */
export function transactionErrors({ path, items }: TransactionList, configuration: Reasons | undefined): FieldError[] {
  const errors: FieldError[] = [];
  items.forEach((transaction, index) => {
    if (!transaction) return;
    const report: Report = (steps, code, detail) => errors.push(fieldError([...path, index, ...steps], code, detail));
    checkRequired(transaction, report);
    checkAmount(transaction, report);
    checkChoices(transaction, configuration, report);
    errors.push(...lineItemErrors([...path, index], transaction));
  });
  return errors;
}

/** Takes what is wrong; `steps` lead there from the transaction. */
type Report = (steps: Path, code: FieldCode, detail: string) => void;

function checkRequired({ type, reason, product_code, line_items }: TransactionDraft, report: Report): void {
  const isMissing = (field: string) => report([field], 'required', 'This field is required.');
  if ((type === 'CHARGE' || type === 'CREDIT') && !reason) isMissing('reason');
  if (type !== 'SUPPLY_CHARGE') return;
  if (!product_code || isBlank(product_code)) isMissing('product_code');
  if (!line_items) isMissing('line_items');
}

function checkAmount({ type, amount }: TransactionDraft, report: Report): void {
  if ((type !== 'PAYMENT' && type !== 'REPAYMENT') || amount === undefined || minorUnits(amount) > 0) return;
  report(['amount'], 'min_value', 'Ensure this value is greater than 0.');
}

function checkChoices({ type, reason, payment_type }: TransactionDraft, configuration: Reasons | undefined, report: Report): void {
  if (!type) return;
  const takesExtras = type === 'CHARGE' || type === 'CREDIT';
  const extras = type === 'CHARGE' ? configuration?.extra_charge_reasons : configuration?.extra_credit_reasons;
  const isChecked = configuration !== undefined || !takesExtras;
  if (reason && isChecked && REASONS[type]?.has(reason) === false && !(takesExtras && extras?.includes(reason))) {
    report(['reason'], 'invalid_choice', NOT_A_CHOICE);
  }
  if (payment_type && PAYMENT_TYPES[type]?.has(payment_type) === false) report(['payment_type'], 'invalid_choice', NOT_A_CHOICE);
}

const lineItemErrors = (path: Path, { line_items = [] }: TransactionDraft): FieldError[] =>
  line_items.flatMap((item, index) => periodErrors([...path, 'line_items', index, 'end_date'], item?.start_date, item?.end_date));

/** An error for each transaction whose id an earlier one of the same payload has: `duplicate_transaction_id`. */
export function duplicateTransactionErrors(lists: readonly TransactionList[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const { path, items } of lists) {
    items.forEach((transaction, index) => {
      const id = transaction?.transaction_id;
      if (id === undefined) return;
      const before = seen.size;
      if (seen.add(id).size > before) return;
      const at = [...path, index, 'transaction_id'];
      errors.push(fieldError(at, 'duplicate_transaction_id', 'Use this id once: another transaction of this payload has it.'));
    });
  }
  return errors;
}
