/**
 * The head of a bulk request, and the answer that streams.
 */
import { type BulkEnd, type BulkWork, bulkAnswers, sourceOf } from '../bulk';
import { MAX_BULK_BYTES } from '../shared/sizes';
import { unreachable } from '../shared/unreachable';
import type { AppContext, AppMiddleware } from './app';
import { encodingOf, IDENTITY } from './body';
import { linesReply, readsLines } from './lines';
import { authenticationFailed, parseError, payloadTooLarge } from './replies';

/** The head of a bulk body: 415, 413. */
export const readsBulk = (body: Parameters<typeof readsLines>[0]): AppMiddleware => readsLines(body, MAX_BULK_BYTES);

/** Streams the answers to the lines of the body. Until something is answered, a status says what is wrong with the whole: 401, 413, 400. */
export async function bulkReply(c: AppContext, work: BulkWork): Promise<Response> {
  const { deps } = c.var;
  const source = await sourceOf(c.req.raw.body, encodingOf(c.req.raw.headers) !== IDENTITY);
  const pieces = bulkAnswers(deps, source, work);
  const first = await pieces.next();
  if (first.done) return unanswered(c, first.value);
  return linesReply(deps, first.value, pieces);
}

/** Why no line of a bulk body has an answer. */
function unanswered(c: AppContext, end: BulkEnd): Response {
  switch (end) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'too_large':
      return payloadTooLarge(c, MAX_BULK_BYTES);
    case 'whole':
    case 'too_many_lines':
    case 'broken':
      return parseError(c, BROKEN);
    default:
      return unreachable(end);
  }
}

const BROKEN = 'The body ended in the middle, or is not what its Content-Encoding says.';
