/**
 * The one validation on an account (§4.5, §4.6). Validate, create, bulk, the consumer and the offline check all call it. Pure,
 * and free of anything that only a Worker has.
 */

import type { DocumentReference } from '../../documents/pure';
import { instantIn } from '../../shared/dates';
import { type FieldError, fieldError, inPayloadOrder, MAX_ERRORS } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { gateErrors, type Supplier } from '../../suppliers';
import { type Account, type AccountDraft, accountBody } from '../schema';
import { accountErrors } from './rules';
import { type PhoneNumbers, phoneNumbersOf } from './rules-phones';

/** How an import is to be run. Instants in Unix milliseconds. */
export interface TaskParams {
  readonly isDryRun: boolean;
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
}

/** A body as it was read, before anything is known about its supplier. */
export interface ReadAccount {
  /** The account's fields and `task_params` side by side, as sent, whichever form the body had. */
  readonly sent: unknown;
  readonly draft: AccountDraft;
  /** The whole account, where no single field is wrong. */
  readonly value: Account | undefined;
  readonly fieldErrors: readonly FieldError[];
  /** Undefined unless sent and well-formed. */
  readonly supplierCode: string | undefined;
  readonly externalAccountNumber: string | undefined;
  /** The run that it is to join, where one is named. */
  readonly runName: string | undefined;
}

export interface CheckedAccount extends ReadAccount {
  readonly taskParams: TaskParams;
  /** Fields, then cross-field; neither the supplier's status nor documents. See {@link allErrors}. */
  readonly errors: readonly FieldError[];
  /** The customers' phone numbers; undefined without a supplier, whose country they are read by, and where fields have too many errors. */
  readonly phoneNumbers: PhoneNumbers | undefined;
  /** The documents that are named, as far as their paths are allowed. */
  readonly documentPaths: readonly DocumentReference[];
}

/**
 * Reads a body of either form: the account itself, or `{payload, task_params}`. Paths of errors never start with `payload`.
 */
export function readAccount(body: unknown): ReadAccount {
  const sent = sideBySide(body);
  const { draft, value, errors } = parse(accountBody, sent);
  return {
    sent,
    draft,
    value,
    fieldErrors: errors,
    supplierCode: draft.import_supplier,
    externalAccountNumber: draft.external_account_number,
    runName: draft.task_params?.run || undefined,
  };
}

/** Validates what was read. `now` in Unix milliseconds. Without a supplier what needs one is left out. */
export function checkRead(read: ReadAccount, supplier: Supplier | undefined, now: number): CheckedAccount {
  const { sent, draft, fieldErrors } = read;
  const configuration = supplier?.configuration;
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  // With that many errors in its fields the account is not checked as a whole: what else is wrong would not be listed.
  const isChecked = isObject && fieldErrors.length < MAX_ERRORS;
  const phoneNumbers = isChecked && configuration ? phoneNumbersOf(draft.customers, configuration.default_country) : undefined;
  return {
    ...read,
    taskParams: {
      isDryRun: draft.task_params?.is_dry_run === true,
      windowStart: instantIn(draft.task_params?.schedule_window_start),
      windowEnd: instantIn(draft.task_params?.schedule_window_end),
    },
    errors: isChecked ? [...fieldErrors, ...accountErrors(sent, draft, configuration, phoneNumbers, now)] : fieldErrors,
    phoneNumbers,
    documentPaths: documentPathsOf(draft),
  };
}

export const checkAccount = (body: unknown, supplier: Supplier | undefined, now: number): CheckedAccount =>
  checkRead(readAccount(body), supplier, now);

/** `does_not_exist` for an unknown supplier (as for another organisation's), else what its status has against it (§5.6). */
export function supplierErrors({ supplierCode }: ReadAccount, supplier: Supplier | undefined): FieldError[] {
  if (supplier) return gateErrors(supplier);
  if (supplierCode === undefined) return [];
  return [fieldError(['import_supplier'], 'does_not_exist', 'There is no import supplier with this code.')];
}

/** `does_not_exist` for a run that its supplier does not have. Where the supplier is unknown, that is the only error. */
export function runErrors({ runName }: ReadAccount, supplier: Supplier | undefined, run: object | undefined): FieldError[] {
  if (runName === undefined || !supplier || run) return [];
  return [fieldError(['task_params', 'run'], 'does_not_exist', 'There is no run of this name: make it before accounts join it.')];
}

/** The one list of all errors, in payload order: of the validation, and what was found about its supplier and documents. */
export const allErrors = ({ sent, errors }: CheckedAccount, ...found: readonly (readonly FieldError[])[]): FieldError[] =>
  inPayloadOrder(sent, errors.concat(...found));

/** True for `{payload, task_params}`. Among an account's own fields `payload` has no meaning: there it is one more undocumented field. */
export const isWrapped = (body: unknown): body is { readonly payload: unknown } =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.hasOwn(body, 'payload') &&
  !Object.hasOwn(body, 'import_supplier') &&
  !Object.hasOwn(body, 'external_account_number');

function sideBySide(body: unknown): unknown {
  if (!isWrapped(body)) return body;
  const { payload } = body;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
  const taskParams: unknown = Object.hasOwn(body, 'task_params') ? Reflect.get(body, 'task_params') : undefined;
  // `null` is "not given": it must not make a dry run a real one.
  return taskParams === undefined || taskParams === null ? payload : { ...payload, task_params: taskParams };
}

function documentPathsOf({ notes = [], statements = [] }: AccountDraft): DocumentReference[] {
  const found: DocumentReference[] = [];
  notes.forEach((note, index) => {
    note?.document_paths?.forEach((document, position) => {
      const path = ['notes', index, 'document_paths', position, 'document_path'];
      if (document?.document_path !== undefined) found.push({ path, documentPath: document.document_path });
    });
  });
  statements.forEach((statement, index) => {
    const path = ['statements', index, 'statement_path'];
    if (statement?.statement_path !== undefined) found.push({ path, documentPath: statement.statement_path });
  });
  return found;
}
