/**
 * One line of a bulk request: what it holds, and the text it is answered with. Pure.
 */
import { Buffer } from 'node:buffer';
import { judgeDocuments } from '../documents';
import type { Staged } from '../import-processes';
import { type ErrorItem, errorItem, type FieldError, fieldError, firstErrors } from '../shared/errors';
import { decodeJson } from '../shared/json';
import type { Supplier } from '../suppliers';
import { type Line, MAX_LINE_BYTES } from './bulk-lines';
import { type AccountJudgement, allErrors, judgeRead, type ReadAccount, readAccount, supplierErrors } from './judge';
import { accountWarnings } from './warnings';

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
export interface LineFacts {
  readonly supplier: Supplier | undefined;
  readonly missingDocuments: ReadonlySet<string>;
  readonly now: number;
  /** How many errors are listed of it. */
  readonly maxErrors: number;
}

export const lineText = (result: BulkResult): string => `${JSON.stringify(result)}\n`;

export function readLine({ number, bytes }: Line): LineAccount | BulkResult {
  if (!bytes) return unreadable(number, 'payload_too_large', `The line is longer than ${MAX_LINE_BYTES} bytes.`);
  const body = decodeJson(bytes);
  if (body.kind !== 'json') return unreadable(number, 'parse_error', body.detail);
  const read = readAccount(body.value);
  const warnings = accountWarnings(body.value, read);
  return { line: number, text: body.text, read, warnings: warnings.length > 0 ? warnings : undefined };
}

/** A line that holds no account at all. */
export const unreadable = (line: number, code: string, detail: string): BulkResult => ({
  line,
  status: 'INVALID',
  errors: [errorItem(fieldError([], code, detail))],
});

/** The errors of a line in payload order, once its documents were looked up. */
export function lineErrors({ read }: LineAccount, judgement: AccountJudgement, facts: LineFacts): FieldError[] {
  const { supplier, missingDocuments, maxErrors } = facts;
  const documents = judgeDocuments(supplier?.configuration.documents_root ?? '', judgement.documentPaths, missingDocuments);
  return firstErrors(allErrors(judgement, supplierErrors(read, supplier), documents), maxErrors);
}

/** The refusal of a line that these facts refuse, made anew. */
export function refusalOf(line: Line, facts: LineFacts): BulkResult {
  const account = readLine(line);
  if (!('read' in account)) return account;
  return invalid(account, lineErrors(account, judgeRead(account.read, facts.supplier, facts.now), facts));
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

/** What staging made of a line; undefined where it was checked by old facts. */
export function stagedResult(result: BulkResult, outcome: Staged): BulkResult | undefined {
  switch (outcome.kind) {
    case 'scheduled':
      return { ...result, status: 'SCHEDULED' };
    case 'in_progress':
      return { ...result, status: 'IN_PROGRESS' };
    case 'already_imported':
      return { ...result, status: 'ALREADY_IMPORTED', account_id: outcome.accountNumber };
    case 'judged_on_old_facts':
      return undefined;
  }
}

const NAME = Buffer.from('"import_supplier"');
/** Where a code must have ended: 32 characters of up to four bytes, and what may be around them. */
const NEAR = 160;

/** The supplier code that a line seems to name: right for nearly all, found without parsing, and nothing but a hint. */
export function supplierHint({ bytes }: Line): string | undefined {
  if (!bytes) return undefined;
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = line.indexOf(NAME);
  if (at < 0) return undefined;
  const after = line.toString('utf8', at + NAME.length, at + NAME.length + NEAR);
  return /^\s*:\s*"([^"\\]{1,32})"/.exec(after)?.[1];
}
