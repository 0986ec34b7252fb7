/** Documents (§4.16 to §4.18): which are there, and how they get there. */
import { type Bytes, type Call, type CallOptions, jsonIn, type Transport } from './transport';
import type { DocumentsCheckRequest, StoredDocument } from './wire';

const DOCUMENTS = '/v2/data-import/documents/';
/** For a hundred megabytes over a slow line. */
const UPLOAD_MILLISECONDS = 600_000;

export interface UploadOptions extends CallOptions {
  /** Media type; `application/octet-stream` unless given. */
  readonly type?: string;
  /** SHA-256 of the document in base64, verified by the service before it stores anything. Of a `Uint8Array` it is found by itself. */
  readonly sha256?: string;
}

export interface ListDocumentsOptions extends CallOptions {
  /** Only paths that begin with it. */
  readonly prefix?: string;
  /** Documents fetched at once, 1 to 1,000; default 1,000. */
  readonly pageSize?: number;
}

export const checkCall = (check: DocumentsCheckRequest, options: CallOptions): Call => ({
  ...options,
  method: 'POST',
  path: `${DOCUMENTS}check/`,
  body: { type: 'application/json', text: JSON.stringify(check) },
});

/** The list's path without its query; pages are followed by the client. */
export const listPath = (supplier: string): string => `${DOCUMENTS}${encodeURIComponent(supplier)}/`;

/** Uploads a document; `isNew` is false where it was there with the same content. */
export async function upload(
  transport: Transport,
  supplier: string,
  documentPath: string,
  bytes: Bytes,
  { type = 'application/octet-stream', sha256, ...options }: UploadOptions,
): Promise<StoredDocument & { readonly isNew: boolean }> {
  const digest = sha256 ?? (bytes instanceof Uint8Array ? await digestOf(bytes) : undefined);
  const call: Call = {
    timeoutMilliseconds: UPLOAD_MILLISECONDS,
    ...options,
    method: 'PUT',
    path: `${listPath(supplier)}${encodeURIComponent(documentPath)}/`,
    body: { type, bytes },
    ...(digest === undefined ? {} : { headers: { 'Repr-Digest': `sha-256=:${digest}:` } }),
  };
  return transport.request(call, async (answer) => ({ ...(await jsonIn<StoredDocument>(answer)), isNew: answer.status === 201 }));
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest));
}
