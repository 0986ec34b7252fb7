/**
 * The one way to add to an imported account (§4.1–4.4): validate the request, store while nothing changes that it was validated by,
 * and where something did, validate it again.
 */
import { type AccountFacts, isGuardHeld, MAX_TRIES, type Target } from '../account-facts';
import type { Deps } from '../deps';
import { type DocumentReference, documentErrors } from '../documents';
import { type FieldError, inPayloadOrder } from '../shared/errors';
import type { Given, Parsed } from '../shared/parse';
import { gateErrors, type Supplier } from '../suppliers';
import type { Caller } from '../tokens';

export type Refusal =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' };

/** What one endpoint adds: its rules and its store. */
export interface Addition<Body, Facts extends AccountFacts, Outcome> {
  /** The body as it was sent: errors are listed in its order. */
  readonly raw: unknown;
  readonly parsed: Parsed<Body>;
  /** Reads what the request is validated by, in one trip. */
  readonly load: () => Promise<Facts>;
  /** What the rules find wrong. Without a supplier: what would be wrong under any. */
  readonly ruleErrors: (supplier: Supplier | undefined) => readonly FieldError[];
  /** The documents that the request names. */
  readonly documents: readonly DocumentReference[];
  /** Stores what a valid request adds, in one trip. */
  readonly store: (value: Given<Body>, target: Target, facts: Facts) => Promise<Attempt<Facts, Outcome>>;
}

export type Attempt<Facts, Outcome> =
  /** The answer needed no write. */
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  /** A guarded write. `facts` are read in its batch; the outcome counts only if they show that the guard held. */
  | { readonly kind: 'written'; readonly facts: Facts; readonly outcome: () => Outcome };

/** Answers all errors of the request at once; where there are none, `not_found` without an imported account, and else what the store did. */
export async function addToAccount<Body, Facts extends AccountFacts, Outcome>(
  deps: Deps,
  caller: Caller,
  { raw, parsed, load, ruleErrors, documents, store }: Addition<Body, Facts, Outcome>,
): Promise<Refusal | Outcome> {
  let facts = await load();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { isCallerActive, supplier, account } = facts;
    if (!isCallerActive) return { kind: 'unauthenticated' };
    const missing = await documentErrors(deps, supplier, documents);
    const errors = [...parsed.errors, ...ruleErrors(supplier), ...missing, ...(supplier ? gateErrors(supplier) : [])];
    if (errors.length > 0 || parsed.value === undefined) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
    if (!supplier || !account) return { kind: 'not_found' };
    const attempt = await store(parsed.value, { caller, supplier, account }, facts);
    if (attempt.kind === 'answered') return attempt.outcome;
    if (isGuardHeld(attempt.facts, supplier, account)) return attempt.outcome();
    facts = attempt.facts;
  }
  throw new Error('the supplier kept changing while something was added to an account');
}
