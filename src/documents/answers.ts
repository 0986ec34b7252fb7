/** What is answered about documents (§4.16 to §4.18). */
import * as z from 'zod';
import { text } from '../http/answers';

export const document = z.object({
  document_path: text('The path that payloads name.'),
  size: z.int().meta({ description: 'Bytes.' }),
  etag: text('Of the store: the MD5 in hex where the document was stored in one piece.'),
});

export const documents = z.array(document);

export const documentsChecked = z.object({
  found: z.int().meta({ description: 'How many of the paths name a document.' }),
  missing: z.array(z.string()).meta({ description: 'Paths that name none, as sent and in order.' }),
  invalid: z.array(z.string()).meta({ description: 'Paths that no document could have, as sent and in order.' }),
});
