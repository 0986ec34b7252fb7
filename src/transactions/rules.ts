/**
 * What each type of transaction requires and allows (§2.4). Pure.
 */

import { type FieldError, fieldError, type Path } from '../shared/errors';
import { minorUnits } from '../shared/money';
import type { SupplierConfiguration } from '../suppliers';
import type { TransactionDraft } from './schema';
import { PAYMENT_TYPES, REASONS } from './vocabulary';

type Reasons = Pick<SupplierConfiguration, 'extra_charge_reasons' | 'extra_credit_reasons'>;

const NOT_A_CHOICE = 'This is not a valid choice for this type of transaction.';

/**
 * Judges one transaction; `path` leads to it. Codes: `required`, `invalid_choice`, `min_value`, `period_ends_before_it_starts`.
 * Without a configuration (unknown supplier) reasons that only a supplier could allow are not judged.
 */
export function transactionErrors(path: Path, transaction: TransactionDraft, configuration: Reasons | undefined): FieldError[] {
  return [
    ...missingFields(path, transaction),
    ...amountErrors(path, transaction),
    ...choiceErrors(path, transaction, configuration),
    ...lineItemErrors(path, transaction),
  ];
}

function missingFields(path: Path, transaction: TransactionDraft): FieldError[] {
  const { type, reason, product_code, line_items } = transaction;
  const missing: string[] = [];
  if ((type === 'CHARGE' || type === 'CREDIT') && !reason) missing.push('reason');
  if (type === 'SUPPLY_CHARGE') {
    if (!product_code || product_code.trim() === '') missing.push('product_code');
    if (!line_items) missing.push('line_items');
  }
  return missing.map((field) => fieldError([...path, field], 'required', 'This field is required.'));
}

function amountErrors(path: Path, { type, amount }: TransactionDraft): FieldError[] {
  if ((type !== 'PAYMENT' && type !== 'REPAYMENT') || amount === undefined || minorUnits(amount) > 0) return [];
  return [fieldError([...path, 'amount'], 'min_value', 'Ensure this value is greater than 0.')];
}

function choiceErrors(path: Path, transaction: TransactionDraft, configuration: Reasons | undefined): FieldError[] {
  const { type, reason, payment_type } = transaction;
  if (!type) return [];
  const errors: FieldError[] = [];
  const takesExtras = type === 'CHARGE' || type === 'CREDIT';
  const extras = type === 'CHARGE' ? configuration?.extra_charge_reasons : configuration?.extra_credit_reasons;
  const isJudged = configuration !== undefined || !takesExtras;
  if (reason && isJudged && REASONS[type]?.has(reason) === false && !(takesExtras && extras?.includes(reason))) {
    errors.push(fieldError([...path, 'reason'], 'invalid_choice', NOT_A_CHOICE));
  }
  if (payment_type && PAYMENT_TYPES[type]?.has(payment_type) === false) {
    errors.push(fieldError([...path, 'payment_type'], 'invalid_choice', NOT_A_CHOICE));
  }
  return errors;
}

function lineItemErrors(path: Path, { line_items = [] }: TransactionDraft): FieldError[] {
  return line_items.flatMap((item, index) =>
    item?.start_date !== undefined && item.end_date !== undefined && item.end_date < item.start_date
      ? [fieldError([...path, 'line_items', index, 'end_date'], 'period_ends_before_it_starts', 'A period ends on or after its first day.')]
      : [],
  );
}

/** Tells each later transaction whose id an earlier one of the same payload has: `duplicate_transaction_id`. */
export function duplicateTransactionErrors(
  entries: Iterable<{ readonly path: Path; readonly transaction: TransactionDraft | undefined }>,
): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const { path, transaction } of entries) {
    const id = transaction?.transaction_id;
    if (id === undefined) continue;
    if (seen.has(id)) {
      errors.push(
        fieldError([...path, 'transaction_id'], 'duplicate_transaction_id', 'A transaction of this payload has this id already.'),
      );
    }
    seen.add(id);
  }
  return errors;
}

/** Judges a list of transactions that stands alone; `path` leads to the list. */
export const transactionListErrors = (
  path: Path,
  transactions: readonly (TransactionDraft | undefined)[],
  configuration: Reasons | undefined,
): FieldError[] => [
  ...transactions.flatMap((transaction, index) => (transaction ? transactionErrors([...path, index], transaction, configuration) : [])),
  ...duplicateTransactionErrors(transactions.map((transaction, index) => ({ path: [...path, index], transaction }))),
];
