/** How much a body may give and cost for its size: the worst ones that are known, and a short search for others (`npm run fuzz -- --worst`). */
import { describe, expect, it } from 'vitest';
import { callsOf } from '../support/calls';
import { WORST_BODIES } from '../support/worst-bodies';
import { ANSWERED } from './fuzz/answers';
import { bytesOut, LEAST_BYTES, type Measure, searchWorst } from './fuzz/worst';

/** A thousand errors are listed, of some 150 bytes each; beyond that an answer can only say back what was sent. */
const mostBytesOut = (bytes: number): number => Math.min(200 * Math.max(bytes, LEAST_BYTES), 160_000 + 1.2 * bytes);
/** The work for a thousand errors, and some calls for each value of the body. */
const mostCalls = (bytes: number): number => 60_000 + 12 * bytes;

const [account] = ANSWERED;

describe('the worst bodies that are known', () => {
  it.each(WORST_BODIES)('$name: so much out and so much work at most', (worst) => {
    if (!account) throw new Error('no account');
    const text = worst.text('SUP', 'EXT');
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeLessThanOrEqual(1_048_576);
    expect(bytesOut(text, account)).toBeLessThan(mostBytesOut(bytes));
    expect(callsOf(() => account.answer(text))).toBeLessThan(mostCalls(bytes));
  });
});

describe('a search', () => {
  it.each(ANSWERED)('finds nothing worse among bodies of $name', (answered) => {
    const beyond: Measure = (text, body) => {
      const bytes = Buffer.byteLength(text);
      return (bytesOut(text, body) / mostBytesOut(bytes)) * bytes;
    };
    const known = answered.known.filter((one) => one.length < 50_000);
    const { score, text } = searchWorst(answered, beyond, { seed: 1, known, goesOn: (tries) => tries < 300 });
    expect([score < 1, text.slice(0, 300)]).toEqual([true, text.slice(0, 300)]);
    // It does climb: what it began with is answered with next to nothing.
    expect(score).toBeGreaterThan(0.05);
  });
});
