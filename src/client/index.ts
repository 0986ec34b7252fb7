export type * from './answers';
export type { BulkMode, BulkOptions } from './bulk';
export { DataImportClient, type ListOptions, type TransactionOptions, type WaitOptions } from './client';
export { ApiError, DataImportError, fieldOf, NoAnswerError } from './errors';
export { linesOf } from './ndjson';
export { pause, type RetryOptions } from './retries';
export type { CallOptions, ClientOptions, Fetch } from './transport';
export type * from './wire';
