export type * from './answers';
export type { BulkMode, BulkOptions, LinesOptions } from './bulk';
export type { BulkAddition } from './bulk-additions';
export {
  type BulkTransactionOptions,
  DataImportClient,
  type ListOptions,
  type Many,
  type TransactionOptions,
  type ValidateOptions,
  type WaitOptions,
} from './client';
export type { ListDocumentsOptions, UploadOptions } from './documents';
export { ApiError, DataImportError, NoAnswerError } from './errors';
export { pause, type RetryOptions } from './retries';
export type { Bytes, CallOptions, ClientOptions, Fetch } from './transport';
export type * from './wire';
