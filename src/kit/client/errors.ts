/** Every failure of a call, as one typed class each for an answer that refuses and for no answer at all. */
import type { ErrorItem } from './wire';

/** What all failures have: the id under which the service's log knows the request. */
export class DataImportError extends Error {
  override readonly name: string = 'DataImportError';
  readonly requestId: string;

  constructor(message: string, requestId: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.requestId = requestId;
  }
}

/** The service answered, and refused. Decide by `status` and `code`. */
export class ApiError extends DataImportError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Machine-readable and stable (§7.3); of a token refused over GraphQL its `errorCode`. */
  readonly code: string;
  /** All errors of a validation; empty for every other refusal. */
  readonly errors: readonly ErrorItem[];
  /** Fields that are not documented, where validation was asked for them. */
  readonly warnings: readonly ErrorItem[];
  /** The platform account number, where the account has been imported already. */
  readonly accountId: string | undefined;
  /** The body as it came, for what no field above holds. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: unknown, requestId: string, retryAfterSeconds?: number) {
    const code = codeOf(body);
    super(`${status} ${code}: ${detailOf(body)}`, requestId);
    this.status = status;
    this.code = code;
    this.errors = listOf(body, 'errors').filter(isErrorItem);
    this.warnings = listOf(body, 'warnings').filter(isErrorItem);
    this.accountId = textOf(body, 'account_id');
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True where neither the key nor its token opens the service. */
  get isAccessRefused(): boolean {
    return this.status === 401 || this.code.startsWith('PT-CT-');
  }
}

/** No whole answer came: network, time-out, or an answer cut short. Whether the request took effect is not known. */
export class NoAnswerError extends DataImportError {
  override readonly name = 'NoAnswerError';
}

export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function textOf(value: unknown, key: string): string | undefined {
  const text = fieldOf(value, key);
  return typeof text === 'string' ? text : undefined;
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key);
  return Array.isArray(list) ? list : [];
}

function codeOf(body: unknown): string {
  return textOf(body, 'code') ?? textOf(fieldOf(body, 'non_field_errors'), 'code') ?? textOf(body, 'status') ?? 'unknown';
}

function detailOf(body: unknown): string {
  const detail = textOf(body, 'error_detail') ?? textOf(body, 'detail') ?? textOf(fieldOf(body, 'non_field_errors'), 'detail');
  return detail ?? 'The service refused the request.';
}

function isErrorItem(value: unknown): value is ErrorItem {
  return textOf(value, 'code') !== undefined && textOf(value, 'attr') !== undefined && textOf(value, 'detail') !== undefined;
}
