/**
 * A judged account as it is staged: as it was sent, but for full bank and card numbers. Pure.
 */
import { Buffer } from 'node:buffer';
import type { StagedAccount } from '../import-processes';
import { canonicalJson, shortDigest } from '../shared/digest';
import { redactBankDetails } from './bank-details';
import type { AccountJudgement } from './judge';

/** `text` is the body as it was sent. The judgement must have found no error. */
export function stagedAccountOf(judgement: AccountJudgement, text: string): StagedAccount {
  const { sent, externalAccountNumber, taskParams } = judgement;
  if (typeof sent !== 'object' || sent === null || externalAccountNumber === undefined) throw new Error('only a judged account is staged');
  const kept = mayHoldInstructions(text) ? redactBankDetails(sent) : undefined;
  const body = kept ? JSON.stringify(kept) : text;
  return {
    externalAccountNumber,
    // Of the redacted account: what is stored must not tell a full number, not even by its digest.
    payloadHash: shortDigest(canonicalJson(kept ?? sent)),
    body,
    bodyBytes: Buffer.byteLength(body),
    ...taskParams,
  };
}

/** The text is kept as it is only if no spelling of the key can hide in it, escaped or under a key sent twice. */
const mayHoldInstructions = (text: string): boolean => text.includes('payment_instructions') || text.includes('\\u');
