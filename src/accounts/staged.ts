/**
 * A judged account as it is staged: as it was sent, but for full bank and card numbers. Pure.
 */
import { Buffer } from 'node:buffer';
import type { StagedAccount } from '../import-processes';
import { canonicalJson, shortDigest } from '../shared/digest';
import { fieldError } from '../shared/errors';
import { mayHoldBankDetails, redactBankDetails } from './bank-details';
import type { AccountJudgement } from './judge';

/** §8: the largest body, as it is stored. Numbers like `1e20` are longer once they are written out. */
const MAX_STAGED_BYTES = 1_048_576;

/** What a body that grows beyond the limit when it is written out is refused with. */
export const TOO_LARGE_TO_STAGE = fieldError(
  [],
  'payload_too_large',
  `The account is larger than ${MAX_STAGED_BYTES} bytes once its numbers are written out.`,
);

/** `text` is the body as it was sent. The judgement must have found no error. Undefined: {@link TOO_LARGE_TO_STAGE}. */
export function stagedAccountOf(judgement: AccountJudgement, text: string): StagedAccount | undefined {
  const { sent, externalAccountNumber, taskParams, documentPaths } = judgement;
  if (typeof sent !== 'object' || sent === null || externalAccountNumber === undefined) throw new Error('only a judged account is staged');
  const kept = mayHoldBankDetails(text) ? redactBankDetails(sent) : undefined;
  const body = kept ? JSON.stringify(kept) : text;
  const bodyBytes = Buffer.byteLength(body);
  if (bodyBytes > MAX_STAGED_BYTES) return undefined;
  return {
    externalAccountNumber,
    // Of the redacted account: what is stored must not tell a full number, not even by its digest.
    payloadHash: shortDigest(canonicalJson(kept ?? sent)),
    body,
    bodyBytes,
    ...taskParams,
    documents: documentPaths.length,
  };
}
