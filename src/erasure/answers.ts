/** What is answered about an erasure (§18). */
import * as z from 'zod';
import { instant } from '../http/answers';

export const erasure = z.object({
  import_supplier: z.string(),
  external_account_number: z.string(),
  platform_account_number: z.string().nullable().meta({ description: 'Null where it was never imported.' }),
  platform_identifier: z.string().nullable(),
  erased_at: instant('When it was erased first.'),
  documents: z.array(z.string()).meta({
    description: 'The keys of the documents that it named. They are listed once: an erasure that is repeated lists none.',
  }),
  documents_deleted: z.boolean().meta({ description: 'Whether this call has deleted them from the bucket.' }),
});
