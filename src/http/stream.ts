/**
 * Text that is made as it is read. On the wire a failure looks like the end of the text, so whoever makes
 * the text gives it an end of its own: the bracket of an array, the last line of NDJSON.
 */
import type { Deps } from '../deps';

export function textStream(deps: Deps, pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // A reader that hangs up does so while the next piece is made: nobody waits for it then, and nothing failed.
  let isCancelled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        deps.log.error('answer_cut', error);
        controller.error(new Error('the answer was cut'));
      }
    },
    async cancel() {
      isCancelled = true;
      await pieces.return();
    },
  });
}
