/**
 * Bodies and answers of JSON lines. The head of a body is validated by middleware; the room reads what follows, and answers while it reads.
 */
import type { Deps } from '../deps';
import { isKeyActive } from '../tokens';
import type { AppMiddleware } from './app';
import { IDENTITY, mediaProblem } from './body';
import { NDJSON, type RequestBody } from './endpoint';
import { authenticationFailed, payloadTooLarge, unsupportedMediaType } from './replies';
import { textStream } from './stream';

const ENCODINGS = [IDENTITY, 'gzip', 'x-gzip'];

/** The head of an importer's body of lines: 415 where it is no such body, 413 where it says that it is larger than `maxBytes`. */
export function readsLines({ mediaTypes }: Extract<RequestBody, { kind: 'lines' }>, maxBytes: number): AppMiddleware {
  return async (c, next) => {
    const problem = mediaProblem(c.req.raw.headers, (type) => mediaTypes.includes(type), ENCODINGS);
    const isTooLarge = Number(c.req.header('Content-Length') ?? 0) > maxBytes;
    if (!problem && !isTooLarge) return next();
    if (!(await isKeyActive(c.var.deps, c.var.caller))) return authenticationFailed(c);
    return problem ? unsupportedMediaType(c, problem, NDJSON, 'in gzip or without Content-Encoding') : payloadTooLarge(c, maxBytes);
  };
}

/** 200 with lines that are made as they are read, of which the first are there already. */
export const linesReply = (deps: Deps, first: string, rest: AsyncGenerator<string, unknown>): Response =>
  new Response(textStream(deps, continued(first, rest)), { headers: { 'Content-Type': NDJSON } });

async function* continued(first: string, rest: AsyncGenerator<string, unknown>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}
