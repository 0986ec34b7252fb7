export type * from './answers';
export type { BulkMode, BulkOptions } from './bulk';
export { DataImportClient, type ListOptions, type TransactionOptions, type ValidateOptions, type WaitOptions } from './client';
export type { ListDocumentsOptions, UploadOptions } from './documents';
export { ApiError, DataImportError, NoAnswerError } from './errors';
export { pause, type RetryOptions } from './retries';
export type { Runs } from './runs';
export type { Bytes, CallOptions, ClientOptions, Fetch } from './transport';
export type * from './wire';
