/**
 * The head of a bulk request, and the answer that streams.
 */
import { type BulkEnd, type BulkWork, bulkAnswers, MAX_BULK_BYTES, sourceOf } from '../bulk';
import { unreachable } from '../shared/unreachable';
import { isKeyActive } from '../tokens';
import type { AppContext, AppMiddleware } from './app';
import { encodingOf, IDENTITY, mediaProblem } from './body';
import { LINE_TYPES, NDJSON } from './endpoint';
import { authenticationFailed, parseError, payloadTooLarge, unsupportedMediaType } from './replies';
import { textStream } from './stream';

const TYPES: readonly string[] = LINE_TYPES;
const ENCODINGS = [IDENTITY, 'gzip', 'x-gzip'];

/** The head of a bulk body: 415, 413. */
export const ndjson: AppMiddleware = async (c, next) => {
  const problem = mediaProblem(c.req.raw.headers, (type) => TYPES.includes(type), ENCODINGS);
  const isTooLarge = Number(c.req.header('Content-Length') ?? 0) > MAX_BULK_BYTES;
  if (!problem && !isTooLarge) return next();
  if (!(await isKeyActive(c.var.deps, c.var.caller))) return authenticationFailed(c);
  return problem ? unsupportedMediaType(c, problem, NDJSON, 'in gzip or without Content-Encoding') : payloadTooLarge(c, MAX_BULK_BYTES);
};

/** Streams the answers to the lines of the body. Until something is answered, a status says what is wrong with the whole: 401, 413, 400. */
export async function bulkReply(c: AppContext, work: BulkWork): Promise<Response> {
  const { deps } = c.var;
  const source = await sourceOf(c.req.raw.body, encodingOf(c.req.raw.headers) !== IDENTITY);
  const pieces = bulkAnswers(deps, source, work);
  const first = await pieces.next();
  if (first.done) return unanswered(c, first.value);
  return new Response(textStream(deps, continued(first.value, pieces)), { headers: { 'Content-Type': NDJSON } });
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

async function* continued(first: string, rest: AsyncGenerator<string, unknown>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}
