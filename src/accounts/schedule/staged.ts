/**
 * A validated account as it is staged: as it was sent, but for full bank and card numbers. Pure.
 */
import { Buffer } from 'node:buffer';
import type { RunToJoin } from '../../account-state';
import type { Create, IsSameAccount, StagedAccount } from '../../import-processes';
import { canonicalJson, shortDigest } from '../../shared/digest';
import { type FieldError, fieldError } from '../../shared/errors';
import { parseExactly } from '../../shared/literals';
import { MAX_BODY_BYTES } from '../../shared/sizes';
import { gateErrors, type Supplier } from '../../suppliers';
import { mayHoldBankDetails, redactBankDetails } from '../payload/bank-details';
import { storedTotals, totalsOf } from '../payload/rules-totals';
import { type CheckedAccount, readAccount, runErrors } from '../validation/check';

/** What a body that grows beyond the limit when it is written out is refused with: numbers like `1e20` are longer then. */
export const TOO_LARGE_TO_STAGE = fieldError(
  [],
  'payload_too_large',
  `The account is larger than ${MAX_BODY_BYTES} bytes once its numbers are written out.`,
);

/**
 * What a create asks of the process of its pair, by what is wrong with the account: nothing at all; only what may pass, the supplier's status or
 * documents that are not there; or more. `text` is the body as it was sent.
 */
export function createOf(
  checkedAccount: CheckedAccount,
  supplier: Supplier,
  documents: readonly FieldError[],
  text: string,
  run?: RunToJoin,
): Create {
  const { errors, externalAccountNumber } = checkedAccount;
  const isRight =
    errors.length === 0 &&
    runErrors(checkedAccount, supplier, run).length === 0 &&
    documents.every(({ code }) => code === 'document_not_found');
  if (!isRight || externalAccountNumber === undefined) return { kind: 'wrong', supplier };
  if (documents.length > 0 || gateErrors(supplier).length > 0) return { kind: 'not_now', supplier, externalAccountNumber };
  const account = stagedAccountOf(checkedAccount, text, run);
  return account ? { kind: 'right', supplier, account } : { kind: 'wrong', supplier };
}

/** `text` is the body as it was sent. The validation must have found no error. Undefined: {@link TOO_LARGE_TO_STAGE}. */
export function stagedAccountOf(checkedAccount: CheckedAccount, text: string, run?: RunToJoin): StagedAccount | undefined {
  const { sent, value, externalAccountNumber, taskParams, documentPaths } = checkedAccount;
  if (typeof sent !== 'object' || sent === null || externalAccountNumber === undefined)
    throw new Error('only a validated account is staged');
  const redacted = mayHoldBankDetails(text) ? redactBankDetails(sent) : undefined;
  const body = redacted ? JSON.stringify(redacted) : text;
  const bodyBytes = Buffer.byteLength(body);
  if (bodyBytes > MAX_BODY_BYTES) return undefined;
  return {
    externalAccountNumber,
    // Of the text as it is stored: no full number may show, not even in its digest.
    payloadHash: shortDigest(body),
    body,
    bodyBytes,
    ...taskParams,
    documents: documentPaths.length,
    ...(run && value ? { runId: run.id, isHeld: run.isHeld, totals: storedTotals(totalsOf(value)) } : {}),
  };
}

/** True if two bodies, as staged, differ in form only: white space, order of keys, the form of the body, fields that are not given. */
export const isSameAccount: IsSameAccount = (stored, sent) => contentOf(stored) === contentOf(sent);

// Both are compared: the account as its schema reads it differs where a value only looks empty; what was sent differs where two values are read alike.
function contentOf(body: string): string {
  const { sent, value } = readAccount(parseExactly(body));
  return canonicalJson([value, given(sent)]);
}

function given(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(given);
  return Object.fromEntries(Object.entries(value).flatMap(([key, child]) => (isGiven(child) ? [[key, given(child)]] : [])));
}

const isGiven = (value: unknown): boolean => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
