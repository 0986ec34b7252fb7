/** GoCardless mandates: https://developer.gocardless.com/api-reference/#core-endpoints-mandates */
import * as z from 'zod';
import type { VendorAnswer } from './answer';
import type { Question } from './ask';

const API_VERSION = '2015-07-06';
const ACTIVE = new Set(['pending_submission', 'submitted', 'active']);

const answer = z.object({ mandates: z.object({ status: z.string(), scheme: z.string().nullish() }) });

export function goCardlessQuestion(base: string, accessToken: string, reference: string): Question {
  return {
    url: `${base}/mandates/${encodeURIComponent(reference)}`,
    headers: { Authorization: `Bearer ${accessToken}`, 'GoCardless-Version': API_VERSION },
    read: readMandate,
  };
}

/** Reads a mandate; undefined if it is not one. Pure. */
export function readMandate(json: unknown): VendorAnswer | undefined {
  const mandate = answer.safeParse(json).data?.mandates;
  if (!mandate) return undefined;
  return {
    kind: 'found',
    method: 'DIRECT_DEBIT',
    isActive: ACTIVE.has(mandate.status),
    details: { scheme: mandate.scheme ?? undefined },
  };
}
