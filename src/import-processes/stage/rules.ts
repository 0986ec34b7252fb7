/**
 * What creates of one pair do to its process, one after the other (§4.6). Only the last payload that takes its place is ever
 * stored, so that a slice costs the same whatever the order of its lines. Pure.
 */
import type { Status } from '../machine';

/** The process of a pair. */
export interface ProcessState {
  readonly status: Status;
  readonly payloadHash: string;
  readonly isDryRun: boolean;
  /** Null until PROCESSED. */
  readonly accountNumber: string | null;
  /** The run that it is in; absent or null: none. */
  readonly runId?: number | null | undefined;
  /** The stored body, where it was asked for. */
  readonly body?: string | undefined;
}

/** A payload that a create brings. */
export interface Payload {
  readonly payloadHash: string;
  readonly isDryRun: boolean;
  readonly body: string;
  /** The run that it comes in; absent or null: none. */
  readonly runId?: number | null | undefined;
}

export type Answer =
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'already_imported'; readonly accountNumber: string }
  /** The create brought no payload, and there is no account to answer with. */
  | { readonly kind: 'refused' };

/** An answer of its own that hangs on the stored body of a process that is IN_PROGRESS. */
const NEEDS_BODY = { kind: 'needs_body' } as const;

export interface CreateDecision<P extends Payload> {
  /** One for each create, in order. */
  readonly answers: readonly (Answer | typeof NEEDS_BODY)[];
  /** The payload that is to be stored as PENDING. */
  readonly winner: P | undefined;
}

const [SCHEDULED, IN_PROGRESS, REFUSED] = [{ kind: 'scheduled' }, { kind: 'in_progress' }, { kind: 'refused' }] as const;
/** The payload takes the place of whatever was there. */
const STAGES = { kind: 'stages' } as const;

/** True if two bodies differ in their form only. */
export type IsSameAccount = (stored: string, sent: string) => boolean;

/** Decides creates of one pair in their order. Undefined among them: a create whose payload was refused. */
export function decideCreates<P extends Payload>(
  before: ProcessState | undefined,
  creates: readonly (P | undefined)[],
  isSameAccount: IsSameAccount,
): CreateDecision<P> {
  let state = before;
  let winner: P | undefined;
  const answers = creates.map((payload) => {
    const step = stepOf(state, payload, isSameAccount);
    if (step.kind !== 'stages') return step;
    winner = payload;
    state = payload && { status: 'PENDING', accountNumber: null, ...identityOf(payload) };
    return SCHEDULED;
  });
  const isStagedAlready = before?.status === 'PENDING' && winner !== undefined && isSame(before, winner);
  return { answers, winner: isStagedAlready ? undefined : winner };
}

const identityOf = ({ payloadHash, isDryRun, runId }: Payload) => ({ payloadHash, isDryRun, runId });

/** The same payload in the same run: staged under another run, an account moves there. */
const isSame = (state: ProcessState, payload: Payload): boolean => state.payloadHash === payload.payloadHash && isSameRun(state, payload);
const isSameRun = (state: ProcessState, payload: Payload): boolean => (state.runId ?? null) === (payload.runId ?? null);

function stepOf(
  state: ProcessState | undefined,
  payload: Payload | undefined,
  isSameAccount: IsSameAccount,
): Answer | typeof NEEDS_BODY | typeof STAGES {
  if (state?.status === 'PROCESSED') return { kind: 'already_imported', accountNumber: state.accountNumber ?? '' };
  if (!payload) return REFUSED;
  switch (state?.status) {
    case 'PENDING':
      if (isSame(state, payload)) return SCHEDULED;
      return payload.isDryRun && !state.isDryRun ? IN_PROGRESS : STAGES;
    case 'IN_PROGRESS':
      // It cannot be moved any more.
      if (!isSameRun(state, payload)) return IN_PROGRESS;
      if (state.payloadHash === payload.payloadHash) return SCHEDULED;
      if (state.body === undefined) return NEEDS_BODY;
      return isSameAccount(state.body, payload.body) ? SCHEDULED : IN_PROGRESS;
    case undefined:
    case 'ERRORED':
    case 'CANCELLED':
    case 'DRY_RUN_SUCCEEDED':
    case 'DRY_RUN_ERRORED':
      return STAGES;
  }
}
