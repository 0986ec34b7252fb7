/**
 * How the endpoints that add to an account answer: one request, or each line of many.
 */
import { type AddsInBulk, additionsInBulk, type LineAnswer, type Refusal } from '../additions';
import { TOO_MANY_LINES } from '../bulk';
import { fieldError } from '../shared/errors';
import { MAX_BODY_BYTES } from '../shared/sizes';
import { unreachable } from '../shared/unreachable';
import { isKeyActive } from '../tokens';
import type { AppContext } from './app';
import { bulkReply } from './bulk';
import {
  authenticationFailed,
  FAILED_KEY,
  NOT_FOUND,
  parseErrorBody,
  payloadTooLargeBody,
  serverErrorBody,
  validationBody,
} from './replies';

/** The answer to a refusal. */
export function refusalAnswer(refusal: Refusal): LineAnswer {
  switch (refusal.kind) {
    case 'unauthenticated':
      return { status: 401, body: FAILED_KEY };
    case 'invalid':
      return { status: 400, body: validationBody(refusal.errors) };
    case 'not_found':
      return { status: 404, body: NOT_FOUND };
    default:
      return unreachable(refusal);
  }
}

/** Answers a request that was sent by itself. */
export function additionReply(c: AppContext, { status, body }: LineAnswer): Response {
  if (status === 401) return authenticationFailed(c);
  return c.json(body, status === 201 ? 201 : status === 404 ? 404 : 400);
}

/** Adds by the lines of a body: see `docs/specification.md`. */
export async function bulkAdditions<Body, Write, Written, Outcome>(
  c: AppContext,
  adds: Omit<AddsInBulk<Body, Write, Written, Outcome>, 'answers'>,
  outcome: (outcome: Refusal | NoInfer<Outcome>, raw: unknown) => LineAnswer,
): Promise<Response> {
  const { deps, caller, requestId } = c.var;
  if (!(await isKeyActive(deps, caller))) return authenticationFailed(c);
  const answers = {
    outcome,
    tooLarge: { status: 413, body: payloadTooLargeBody(MAX_BODY_BYTES) },
    malformed: (detail: string) => ({ status: 400, body: parseErrorBody(detail) }),
    tooManyLines: { status: 400, body: validationBody([fieldError([], 'max_length', TOO_MANY_LINES)]) },
    failed: { status: 500, body: serverErrorBody(requestId) },
  };
  return bulkReply(c, additionsInBulk(deps, caller, { ...adds, answers }));
}
