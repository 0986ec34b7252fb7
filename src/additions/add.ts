/**
 * The one way to add to an imported account (§4.1–4.4): validate the request, store while nothing changes that it was validated by,
 * and where something did, validate it again.
 */
import { type AccountState, isGuardHeld, MAX_TRIES, type Target } from '../account-state';
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

/** A request to add, and its rules. */
export interface AddRequest<Body> {
  /** The body as it was sent: errors are listed in its order. */
  readonly raw: unknown;
  readonly parsed: Parsed<Body>;
  /** What the rules find wrong. Without a supplier: what would be wrong under any. */
  readonly ruleErrors: (supplier: Supplier | undefined) => readonly FieldError[];
  /** The documents that the request names. */
  readonly documents: readonly DocumentReference[];
}

/** How one request loads a state of its own, is validated by it, and is stored. */
export interface OwnWay<Body, State extends AccountState, Outcome> extends AddRequest<Body> {
  /** Reads what the request is validated by, in one trip. */
  readonly load: () => Promise<State>;
  /** Stores what a valid request adds, in one trip. */
  readonly store: (value: Given<Body>, target: Target, state: State) => Promise<Attempt<State, Outcome>>;
}

export type Attempt<State, Outcome> =
  /** The answer needed no write. */
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  /** A guarded write. `state` is read in its batch; the outcome counts only if it shows that the guard held. */
  | { readonly kind: 'written'; readonly state: State; readonly outcome: () => Outcome };

/** What stops a request, or the valid request and what it adds to. `wrongDocuments` are the errors of the documents that it names. */
export function validated<Body>(
  { raw, parsed, ruleErrors }: AddRequest<Body>,
  { isCallerActive, supplier, account }: AccountState,
  caller: Caller,
  wrongDocuments: readonly FieldError[],
): Refusal | { readonly kind: 'valid'; readonly value: Given<Body>; readonly target: Target } {
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const errors = [...parsed.errors, ...ruleErrors(supplier), ...wrongDocuments, ...(supplier ? gateErrors(supplier) : [])];
  if (errors.length > 0 || parsed.value === undefined) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  return supplier && account ? { kind: 'valid', value: parsed.value, target: { caller, supplier, account } } : { kind: 'not_found' };
}

/** Answers all errors of the request at once; where there are none, `not_found` without an imported account, and else what the store did. */
export async function addToAccount<Body, State extends AccountState, Outcome>(
  deps: Deps,
  caller: Caller,
  request: OwnWay<Body, State, Outcome>,
): Promise<Refusal | Outcome> {
  let state = await request.load();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const wrong = state.isCallerActive ? await documentErrors(deps, state.supplier, request.documents) : [];
    const result = validated(request, state, caller, wrong);
    if (result.kind !== 'valid') return result;
    const attempt = await request.store(result.value, result.target, state);
    if (attempt.kind === 'answered') return attempt.outcome;
    if (isGuardHeld(attempt.state, result.target.supplier, result.target.account)) return attempt.outcome();
    state = attempt.state;
  }
  throw new Error('the supplier kept changing while something was added to an account');
}
