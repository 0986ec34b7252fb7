/** §4.16 to §4.18: documents, for importers. */
import * as z from 'zod';
import { documentsBody } from '../documents/schema';
import * as answer from './answers';
import { document, documentsChecked } from './answers-documents';
import { CHANGES, invalid, invalidQuery, NOT_FOUND, type Operation, ok, one, READ, WRITE } from './operation';

const PDF = { document_path: 'letters/welcome.pdf', size: 18_211, etag: '9c1185a5c5e9fc54612808977ee8f548' };

const CHECK: Operation = {
  method: 'post',
  path: '/v2/data-import/documents/check/',
  id: 'checkDocuments',
  tag: 'Documents',
  summary: 'Check that documents are there',
  description:
    'Ours, beyond the specification: looks up to 10,000 document paths up before the first account names them. Paths that lie too far apart in the bucket to be looked up in one request are refused with `max_length`; up to 500 never are.',
  access: 'importer',
  body: {
    schemas: [documentsBody],
    examples: one('Two documents', { import_supplier: 'DEMO', document_paths: ['letters/welcome.pdf', 'letters/none.pdf'] }),
  },
  answers: {
    200: ok('What is there and what is not.', documentsChecked, { found: 1, missing: ['letters/none.pdf'], invalid: [] }),
    400: invalid('Validation errors.', [{ detail: 'This list may not be empty.', code: 'empty', attr: 'document_paths' }]),
    404: NOT_FOUND('The supplier is not known.'),
    ...WRITE,
  },
};

const UPLOAD: Operation = {
  method: 'put',
  path: '/v2/data-import/documents/{import_supplier_code}/{document_path}/',
  id: 'uploadDocument',
  tag: 'Documents',
  summary: 'Upload a document',
  description:
    'Ours, beyond the specification: streams a document of at most 100 MiB to the bucket, under the root of its supplier, which must be Ongoing. It is stored whole, with its `Content-Type`, or not at all, and never over another one: the same content again is 200.',
  access: 'importer',
  headers: [
    { name: 'Content-MD5', description: 'MD5 of the document in base64: verified before it is stored.', schema: z.string() },
    { name: 'Repr-Digest', description: '`sha-256=:…:` with the SHA-256 of the document in base64: verified, too.', schema: z.string() },
  ],
  body: { mediaType: 'application/pdf', otherMediaTypes: ['*/*'], schemas: [z.string().meta({ format: 'binary' })] },
  answers: {
    200: ok('The document was there before, with the same content.', document, PDF),
    201: ok('Stored.', document, PDF),
    400: invalid('A path that no document may have, a supplier that is not Ongoing, or a digest that does not fit; or the body was cut.', [
      { detail: 'The document that came is not the one of this digest. Send it again.', code: 'digest_mismatch', attr: 'Content-MD5' },
    ]),
    404: NOT_FOUND('The supplier is not known.'),
    409: ok('Another document is at the path.', answer.problem, {
      detail: 'Another document is at this path. Documents are never replaced: choose another path.',
      code: 'document_already_exists',
    }),
    411: ok('Without Content-Length.', answer.problem, { detail: 'Send the Content-Length of the body.', code: 'length_required' }),
    413: ok('Larger than 100 MiB.', answer.problem, { detail: 'The body is larger than 104857600 bytes.', code: 'payload_too_large' }),
    415: ok('The media type is none, or the body is encoded.', answer.problem, {
      detail: 'Unsupported media type: send a media type such as application/pdf.',
      code: 'unsupported_media_type',
    }),
    ...READ,
    ...CHANGES,
  },
};

const LIST: Operation = {
  method: 'get',
  path: '/v2/data-import/documents/{import_supplier_code}/',
  id: 'listDocuments',
  tag: 'Documents',
  summary: 'List documents',
  description:
    'Ours, beyond the specification: the documents of the supplier in the order of their paths. A page may hold fewer than `limit`, or none, and lead on by its `Link` header all the same.',
  access: 'importer',
  query: [
    { name: 'prefix', description: 'Only paths that begin with it.', schema: z.string(), example: 'letters/' },
    { name: 'limit', description: 'At most so many; 200 unless told.', schema: z.int().min(1).max(1_000), example: 100 },
    {
      name: 'cursor',
      description: 'Where to go on: taken from the `Link` header of the page before.',
      schema: z.string().meta({ pattern: '^[A-Za-z0-9_-]+$' }),
    },
  ],
  answers: {
    200: ok('The documents.', z.array(document), [PDF], ['Link']),
    400: invalidQuery('limit'),
    404: NOT_FOUND('The supplier is not known.'),
    ...READ,
  },
};

export const DOCUMENT_OPERATIONS: readonly Operation[] = [CHECK, UPLOAD, LIST];
