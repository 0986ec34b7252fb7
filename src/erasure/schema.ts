import * as z from 'zod';
import { optional, requiredLine } from '../shared/fields';

/** `POST /operator/v1/accounts/{number}/erase/` and `POST …/import-processes/{external}/erase/` */
export const eraseBody = z.object({
  reason: requiredLine(1_000),
  /** Deletes the documents that it names from the bucket, too. */
  delete_documents: optional(z.boolean()),
});
