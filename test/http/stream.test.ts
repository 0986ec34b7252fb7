/** Answers that are made while they are read. */
import { describe, expect, it } from 'vitest';
import { textStream } from '../../src/http/stream';
import { aDeps } from '../support/deps';

/** Pieces of which the second is made when it is let. */
function pieces() {
  const gate = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* made() {
    try {
      yield 'one\n';
      await gate.promise;
      yield 'two\n';
    } finally {
      ended.resolve();
    }
  }
  return { made: made(), ended: ended.promise, letGo: gate.resolve, fail: gate.reject };
}

describe('a text that is made as it is read', () => {
  it('whose reader hangs up meanwhile ends without an error in the log', async () => {
    const deps = aDeps();
    const { made, ended, letGo } = pieces();
    const reader = textStream(deps, made).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one\n');
    const [reading, cancelled] = [reader.read(), reader.cancel()];
    letGo();
    await Promise.allSettled([reading, cancelled, ended]);
    expect(deps.logged).toEqual([]);
  });

  it('that cannot be made is cut, and the log says why', async () => {
    const deps = aDeps();
    const { made, fail } = pieces();
    const reader = textStream(deps, made).getReader();
    await reader.read();
    fail(new Error('D1 is away'));
    await expect(reader.read()).rejects.toThrow('the answer was cut');
    expect(deps.logged).toMatchObject([{ event: 'answer_cut' }]);
  });
});
