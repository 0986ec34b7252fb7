/** What is answered about notes (§4.1). */
import * as z from 'zod';
import { instant } from '../http/answers';
import { addedLine } from '../http/answers-bulk';

export { bulkDone } from '../http/answers-bulk';

export const noteResults = z.array(
  z.object({
    created_at: instant('As stored.'),
    body: z.string().meta({ description: 'As sent; empty for a note of documents only.' }),
    status: z.enum(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']),
  }),
);

export const noteLine = addedLine([noteResults]);
