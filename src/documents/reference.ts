/** Words and examples for §4.16 to §4.18. */
import * as z from 'zod';
import { CURSOR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { invalid, invalidQuery, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { documentsQuery } from './schema';

const PDF = { document_path: 'letters/welcome.pdf', size: 18_211, etag: '9c1185a5c5e9fc54612808977ee8f548' };

export const DOCUMENTS: readonly Operation[] = [
  describe(declared.checkDocuments, answers, {
    id: 'checkDocuments',
    tag: 'Documents',
    summary: 'Check that documents are there',
    description:
      'Ours, beyond the specification: looks up to 10,000 document paths up before the first account names them. Paths that lie too far apart in the bucket to be looked up in one request are refused with `max_length`; up to 500 never are.',
    body: one('Two documents', { import_supplier: 'DEMO', document_paths: ['letters/welcome.pdf', 'letters/none.pdf'] }),
    answers: {
      200: ok('What is there and what is not.', { found: 1, missing: ['letters/none.pdf'], invalid: [] }),
      400: invalid('Validation errors.', [{ detail: 'This list may not be empty.', code: 'empty', attr: 'document_paths' }]),
      404: NOT_FOUND('The supplier is not known.'),
    },
  }),
  describe(declared.uploadDocument, answers, {
    id: 'uploadDocument',
    tag: 'Documents',
    summary: 'Upload a document',
    description:
      'Ours, beyond the specification: streams a document of at most 100 MiB to the bucket, under the root of its supplier, which must be Ongoing. It is stored whole, with its `Content-Type`, or not at all, and never over another one: the same content again is 200.',
    path: {
      document_path: {
        description: 'Path below the documents root of the supplier, percent-encoded; its slashes may stand as they are.',
        example: 'letters/welcome.pdf',
      },
    },
    headers: [
      { name: 'Content-MD5', description: 'MD5 of the document in base64: verified before it is stored.', schema: z.string() },
      { name: 'Repr-Digest', description: '`sha-256=:…:` with the SHA-256 of the document in base64: verified, too.', schema: z.string() },
    ],
    answers: {
      200: ok('The document was there before, with the same content.', PDF),
      201: ok('Stored.', PDF),
      400: invalid(
        'A path that no document may have, a supplier that is not Ongoing, or a digest that does not fit; or the body was cut.',
        [{ detail: 'The document that came is not the one of this digest. Send it again.', code: 'digest_mismatch', attr: 'Content-MD5' }],
      ),
      404: NOT_FOUND('The supplier is not known.'),
      409: ok('Another document is at the path.', {
        detail: 'Another document is at this path. Documents are never replaced: choose another path.',
        code: 'document_already_exists',
      }),
      411: ok('Without Content-Length.', { detail: 'Send the Content-Length of the body.', code: 'length_required' }),
      413: ok('Larger than 100 MiB.', { detail: 'The body is larger than 104857600 bytes.', code: 'payload_too_large' }),
      415: ok('The media type is none, or the body is encoded.', {
        detail: 'Unsupported media type: send a media type such as application/pdf.',
        code: 'unsupported_media_type',
      }),
    },
  }),
  describe(declared.listDocuments, answers, {
    id: 'listDocuments',
    tag: 'Documents',
    summary: 'List documents',
    description:
      'Ours, beyond the specification: the documents of the supplier in the order of their paths. A page may hold fewer than `limit`, or none, and lead on by its `Link` header all the same.',
    query: {
      prefix: { description: 'Only paths that begin with it.', example: 'letters/' },
      limit: { description: 'At most so many; 200 by default.', example: 100 },
      cursor: CURSOR,
    },
    answers: {
      200: ok('The documents.', [PDF], ['Link']),
      400: invalidQuery(documentsQuery, 'limit'),
      404: NOT_FOUND('The supplier is not known.'),
    },
  }),
];
