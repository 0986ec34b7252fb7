/** Documents on the wire (§4.16 to §4.18). */
import * as z from 'zod';
import { documentPrefix } from '../shared/document-paths';
import { identifier, list } from '../shared/fields';
import { cursor, numberUpTo } from '../shared/query';

/** §8: how many paths one check takes. */
const MAX_CHECKED = 10_000;

/** The body of a check. A path may be any text: those that no document could have are listed by the answer. */
export const documentsBody = z.object({
  import_supplier: identifier(32),
  document_paths: list(z.string(), MAX_CHECKED),
});

/** The query of a supplier's documents. */
export const documentsQuery = z.object({
  prefix: z
    .string()
    .refine((prefix) => documentPrefix(prefix) !== undefined)
    .optional(),
  limit: numberUpTo(1_000),
  cursor,
});
