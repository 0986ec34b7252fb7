/**
 * One line of a bulk request: what it holds, and the text it is answered with. Pure.
 */
import { Buffer } from 'node:buffer';
import type { RunToJoin } from '../../account-state';
import type { Line } from '../../bulk';
import { documentPathErrors } from '../../documents';
import type { Staged } from '../../import-processes';
import type { FieldCode } from '../../shared/error-codes';
import { type ErrorItem, errorItem, type FieldError, fieldError, firstErrors } from '../../shared/errors';
import { decodeJson } from '../../shared/json';
import { MAX_BODY_BYTES } from '../../shared/sizes';
import type { Supplier } from '../../suppliers';
import type { Named } from '../schedule/known';
import { allErrors, type CheckedAccount, checkRead, type ReadAccount, readAccount, runErrors, supplierErrors } from '../validation/check';
import { accountWarnings } from '../validation/warnings';

/** What became of a line. FAILED is our own failure: the line is to be sent again. */
export interface BulkResult {
  readonly line: number;
  readonly external_account_number?: string | undefined;
  readonly status: 'SCHEDULED' | 'VALID' | 'INVALID' | 'ALREADY_IMPORTED' | 'IN_PROGRESS' | 'FAILED';
  readonly errors?: readonly ErrorItem[] | undefined;
  readonly warnings?: readonly ErrorItem[] | undefined;
  readonly account_id?: string;
}

/** A line that holds JSON. */
export interface LineAccount {
  readonly line: number;
  readonly text: string;
  readonly read: ReadAccount;
  /** Undefined where there are none. */
  readonly warnings: readonly ErrorItem[] | undefined;
}

/** What a line is checked by. `now` in Unix milliseconds; without a supplier what needs one is left out. */
export interface LineContext {
  readonly supplier: Supplier | undefined;
  readonly run?: RunToJoin | undefined;
  /** The run of lines that name none themselves. */
  readonly requestRun?: string | undefined;
  readonly missingDocuments: ReadonlySet<string>;
  readonly now: number;
  /** How many errors are listed of it. */
  readonly maxErrors: number;
}

export const lineText = (result: BulkResult): string => `${JSON.stringify(result)}\n`;

/** `requestRun` is the run of lines that name none themselves. */
export function readLine({ number, bytes }: Line, requestRun?: string): LineAccount | BulkResult {
  if (!bytes) return unreadable(number, 'payload_too_large', `The line is longer than ${MAX_BODY_BYTES} bytes.`);
  const body = decodeJson(bytes);
  if (body.kind !== 'json') return unreadable(number, 'parse_error', body.detail);
  const account = readAccount(body.value);
  const read = { ...account, runName: account.runName ?? requestRun };
  const warnings = accountWarnings(body.value, read);
  return { line: number, text: body.text, read, warnings: warnings.length > 0 ? warnings : undefined };
}

/** A line that holds no account at all. */
export const unreadable = (line: number, code: FieldCode, detail: string): BulkResult => ({
  line,
  status: 'INVALID',
  errors: [errorItem(fieldError([], code, detail))],
});

/** What is wrong with the documents of a line, once they were looked up. */
export const documentErrorsOf = ({ documentPaths }: CheckedAccount, { supplier, missingDocuments }: LineContext): FieldError[] =>
  documentPathErrors(supplier?.configuration.documents_root ?? '', documentPaths, missingDocuments);

/** The errors of a line in payload order. */
export const lineErrors = (
  { read }: LineAccount,
  checkedAccount: CheckedAccount,
  { supplier, run, maxErrors }: LineContext,
  documents: readonly FieldError[],
): FieldError[] =>
  firstErrors(allErrors(checkedAccount, supplierErrors(read, supplier), runErrors(read, supplier, run), documents), maxErrors);

/** The refusal of a line, made anew from what it was checked by. */
export function refusedAgain(line: Line, context: LineContext): BulkResult {
  const account = readLine(line, context.requestRun);
  if (!('read' in account)) return account;
  const checkedAccount = checkRead(account.read, context.supplier, context.now);
  return invalid(account, lineErrors(account, checkedAccount, context, documentErrorsOf(checkedAccount, context)));
}

/** The answer to a line that got no other: it is to be sent again. */
export function failureTextOf(line: Line | undefined): string {
  if (!line) throw new Error('a slice has no line at this position');
  const account = readLine(line);
  return lineText('read' in account ? resultOf(account, 'FAILED') : account);
}

export const resultOf = ({ line, read, warnings }: LineAccount, status: BulkResult['status']): BulkResult => ({
  line,
  external_account_number: read.externalAccountNumber,
  status,
  ...(warnings ? { warnings } : {}),
});

export const invalid = (account: LineAccount, errors: readonly FieldError[]): BulkResult => {
  const { line, external_account_number, status, warnings } = resultOf(account, 'INVALID');
  return { line, external_account_number, status, errors: errors.map(errorItem), warnings };
};

/** What staging made of a line: its answer; `refused` where the refusal it was given remains; `open` where it was checked by an old state and has to be checked again. */
export function stagedResult(result: BulkResult, outcome: Staged): BulkResult | 'refused' | 'open' {
  switch (outcome.kind) {
    case 'refused':
      return 'refused';
    case 'not_taken':
      return { ...result, status: 'FAILED' };
    case 'scheduled':
      return { ...result, status: 'SCHEDULED' };
    case 'in_progress':
      return { ...result, status: 'IN_PROGRESS' };
    case 'already_imported':
      return { ...result, status: 'ALREADY_IMPORTED', account_id: outcome.accountNumber };
    case 'decided_on_old_state':
      return 'open';
  }
}

const CODE = { name: Buffer.from('"import_supplier"'), value: /^\s*:\s*"([^"\\]{1,32})"/ };
const NUMBER = { name: Buffer.from('"external_account_number"'), value: /^\s*:\s*"([^"\\]{1,128})"/ };
const RUN = { name: Buffer.from('"run"'), value: /^\s*:\s*"([^"\\]{1,64})"/ };
/** Where a value must have ended: 128 characters of up to four bytes, and what may be around them. */
const NEAR = 560;

/** The supplier and account number that a line seems to name: right for nearly all, found without parsing, and nothing but a hint. */
export function namesSeemingly({ bytes }: Line, requestRun?: string): Named[] {
  if (!bytes) return [];
  const supplierCode = textAfter(bytes, CODE);
  if (supplierCode === undefined) return [];
  return [{ supplierCode, externalAccountNumber: textAfter(bytes, NUMBER), runName: textAfter(bytes, RUN) ?? requestRun }];
}

function textAfter(bytes: Uint8Array, { name, value }: typeof CODE): string | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = line.indexOf(name);
  if (at < 0) return undefined;
  return value.exec(line.toString('utf8', at + name.byteLength, at + name.byteLength + NEAR))?.[1];
}

/** The same for certain. */
export function namesIn(line: Line, requestRun?: string): Named[] {
  const account = readLine(line, requestRun);
  return 'read' in account ? [account.read] : [];
}
