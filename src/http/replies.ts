/**
 * The body shapes of §7.2 with the codes of §7.3, one function each.
 */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Role } from '../operator';
import type { ProcessCode, RequestCode } from '../shared/error-codes';
import { type ErrorItem, errorItem, type FieldError } from '../shared/errors';
import type { AppContext } from './app';
import type { MediaProblem } from './body';

/** A refusal of a request as a whole. */
const refusal = <Body extends { readonly detail: string; readonly code: RequestCode }>(
  c: AppContext,
  body: Body,
  status: ContentfulStatusCode,
  headers?: Readonly<Record<string, string>>,
): Response => c.json(body, status, headers);

/** §7.2 validation: `detail`, `code` and all errors at once. */
export const validationFailed = (c: AppContext, errors: readonly FieldError[], code: RequestCode = 'validation_error'): Response =>
  c.json(validationBody(errors, code), 400);

export const validationBody = (errors: readonly FieldError[], code: RequestCode = 'validation_error') => ({
  detail: 'The data is not valid.',
  code,
  errors: errors.map(errorItem),
});

/** The same of an account that was only validated (§4.5); `warnings` where they were asked for. */
export const accountFailedValidation = (
  c: AppContext,
  errors: readonly FieldError[],
  warnings: readonly ErrorItem[] | undefined,
): Response =>
  c.json({ detail: 'The data is not valid.', code: 'account_failed_validation', errors: errors.map(errorItem), warnings }, 400);

/** §7.2 import process, for account creation. */
export const importProcessRefused = (c: AppContext, code: ProcessCode, detail: string): Response =>
  c.json({ code, detail, domain: 'import_process' }, 400);

/** §7.2 already imported; `accountId` is the platform account number. */
export const alreadyImported = (c: AppContext, accountId: string): Response =>
  c.json(
    {
      non_field_errors: { detail: 'This account has already been imported.', code: 'account_import_process_already_imported' },
      account_id: accountId,
    },
    400,
  );

/** §7.2 transaction import and validation in one; `failed` is the first failing transaction. */
export const transactionRefusedBody = (errors: readonly FieldError[], errorDetail: string, failed: unknown) => ({
  status: 'TRANSACTION_IMPORT_ERROR',
  error_detail: errorDetail,
  transaction_data: failed,
  ...validationBody(errors),
});

export const NOT_FOUND = { detail: 'Not found.', code: 'not_found' } as const;

export const notFound = (c: AppContext): Response => refusal(c, NOT_FOUND, 404);

/** How to authenticate: importers with `Token`, operators with `Bearer`. */
type Challenge = 'Token' | 'Bearer';

export const notAuthenticated = (c: AppContext, challenge: Challenge = 'Token'): Response =>
  refusal(c, { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' }, 401, {
    'WWW-Authenticate': challenge,
  });

export const FAILED_KEY = { detail: 'Invalid token.', code: 'authentication_failed' } as const;

export const authenticationFailed = (c: AppContext, challenge: Challenge = 'Token'): Response =>
  refusal(c, FAILED_KEY, 401, { 'WWW-Authenticate': challenge });

/** Whoever is known but may not do this. */
const forbidden = (c: AppContext, detail: string): Response => refusal(c, { detail, code: 'permission_denied' }, 403);

/** An operator whose role does not reach. */
export const permissionDenied = (c: AppContext, needed: Role): Response =>
  forbidden(c, `This needs the role ${needed}. Ask an administrator for a token that has it.`);

/** An importer whose API key may change nothing. */
export const readOnlyKey = (c: AppContext): Response => forbidden(c, 'This API key is read-only. Use a key that may write.');

export const methodNotAllowed = (c: AppContext, allowed: readonly string[]): Response =>
  refusal(c, { detail: `Method "${c.req.method}" not allowed.`, code: 'method_not_allowed' }, 405, { Allow: allowed.join(', ') });

export const parseErrorBody = (detail: string) => ({ detail, code: 'parse_error' }) as const;

export const parseError = (c: AppContext, detail: string): Response => refusal(c, parseErrorBody(detail), 400);

export const payloadTooLargeBody = (maxBytes: number) =>
  ({ detail: `The body is larger than ${maxBytes} bytes.`, code: 'payload_too_large' }) as const;

export const payloadTooLarge = (c: AppContext, maxBytes: number): Response => refusal(c, payloadTooLargeBody(maxBytes), 413);

export const lengthRequired = (c: AppContext): Response =>
  refusal(c, { detail: 'Send the Content-Length of the body.', code: 'length_required' }, 411);

/** Says what of the body's head to change; `expected` is the media type to send, `encodings` how the body may be sent. */
export function unsupportedMediaType(
  c: AppContext,
  problem: MediaProblem,
  expected: string,
  encodings = 'without Content-Encoding',
): Response {
  const details: Record<MediaProblem, string> = {
    type: `Unsupported media type: send ${expected}.`,
    charset: 'Unsupported charset: send UTF-8.',
    encoding: `Unsupported content encoding: send the body ${encodings}.`,
  };
  return refusal(c, { detail: details[problem], code: 'unsupported_media_type' }, 415);
}

/** `GET /readyz`: what the operator has to do before the service can work. */
export const notReady = (c: AppContext, reasons: readonly { readonly name: string; readonly detail: string }[]): Response =>
  refusal(c, { detail: 'The service cannot work right now.', code: 'not_ready', reasons }, 503, {
    'Retry-After': String(READY_RETRY_AFTER_SECONDS),
  });

const READY_RETRY_AFTER_SECONDS = 10;

export const throttled = (c: AppContext, retryAfterSeconds: number): Response =>
  refusal(c, { detail: 'Request was throttled.', code: 'throttled' }, 429, { 'Retry-After': String(retryAfterSeconds) });

export const invalidTransition = (c: AppContext, detail: string): Response => refusal(c, { detail, code: 'invalid_transition' }, 409);

/** What is staged of a run is not what was declared of it. */
export const totalsDiffer = (c: AppContext, differences: readonly object[]): Response =>
  refusal(c, { detail: 'What is staged is not what was declared. Nothing is released.', code: 'totals_differ', differences }, 409);

export const documentAlreadyExists = (c: AppContext): Response =>
  refusal(
    c,
    {
      detail: 'Another document is at this path. Documents are never replaced: choose another path.',
      code: 'document_already_exists',
    },
    409,
  );

/** `cursor` is the oldest there is. */
export const cursorExpired = (c: AppContext, cursor: string): Response =>
  refusal(
    c,
    { detail: 'Events behind this cursor have been deleted. Go on from the one in this answer.', code: 'cursor_expired', cursor },
    410,
  );

/** Our own failure: nothing of its cause, but the id under which the log has it, and when it may have passed. */
export const serverError = (c: AppContext, retryAfterSeconds: number | undefined): Response =>
  refusal(c, serverErrorBody(c.var.requestId), 500, retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) });

export const serverErrorBody = (requestId: string) =>
  ({ detail: 'An unexpected error occurred. Send the request again.', code: 'error', request_id: requestId }) as const;

const SET_UP_RETRY_AFTER_SECONDS = 60;

/** A secret that every token needs is missing or too short. */
export const notSetUp = (c: AppContext): Response =>
  refusal(c, { detail: 'The service is not set up: /readyz says what is missing.', code: 'not_ready', request_id: c.var.requestId }, 503, {
    'Retry-After': String(SET_UP_RETRY_AFTER_SECONDS),
  });

const INTAKE_RETRY_AFTER_SECONDS = 60;

/** New accounts are not taken for the moment; everything else goes on. */
export const notTaken = (c: AppContext): Response =>
  refusal(
    c,
    {
      detail: 'New accounts are not taken for the moment. Send this again later.',
      code: 'service_unavailable',
      request_id: c.var.requestId,
    },
    503,
    { 'Retry-After': String(INTAKE_RETRY_AFTER_SECONDS) },
  );

/** What a refusal of a payment instruction repeats of the request, so that the importer can match it; what was not well-formed is left out. */
interface SentInstruction {
  readonly import_supplier?: string | undefined;
  readonly external_account_number?: string | undefined;
  readonly reference?: string | undefined;
}

const instructionContext = (errorDetail: string, { import_supplier, external_account_number, reference }: SentInstruction) => ({
  error_detail: errorDetail,
  import_supplier,
  external_account_number,
  reference,
});

/** §4.4: the validation shape and what was sent. */
export const paymentInstructionRefused = (
  c: AppContext,
  errors: readonly FieldError[],
  sent: SentInstruction,
  active?: { readonly vendor: string; readonly type: string },
): Response =>
  c.json(
    {
      detail: 'The data is not valid.',
      code: 'validation_error',
      errors: errors.map(errorItem),
      ...instructionContext(errors[0]?.detail ?? '', sent),
      ...(active ? { active_payment_instruction: active } : {}),
    },
    400,
  );

const VENDOR_RETRY_AFTER_SECONDS = 10;

/** §4.4: an intermittent failure to reach the vendor; nothing was stored. */
export const vendorUnavailable = (c: AppContext, sent: SentInstruction): Response => {
  const detail = 'The payment vendor did not answer. Send the request again.';
  return c.json({ detail, code: 'vendor_unavailable', request_id: c.var.requestId, ...instructionContext(detail, sent) }, 500, {
    'Retry-After': String(VENDOR_RETRY_AFTER_SECONDS),
  });
};
