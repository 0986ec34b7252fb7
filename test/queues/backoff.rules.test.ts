import { describe, expect, it } from 'vitest';
import { retryDelaySeconds } from '../../src/queues/deliver';

describe('the delay before a message is delivered again', () => {
  it.each([
    [1, 5],
    [2, 10],
    [3, 20],
    [4, 40],
    [7, 320],
    [8, 600],
    [100, 600],
    [5_000, 600],
  ])('after try %i is %i seconds', (attempts, seconds) => {
    expect(retryDelaySeconds(attempts)).toBe(seconds);
  });

  it('begins with the base it is given, and counts a try that was not counted as the first', () => {
    expect([1, 2, 3].map((attempts) => retryDelaySeconds(attempts, 1))).toEqual([1, 2, 4]);
    expect(retryDelaySeconds(0, 3)).toBe(3);
  });

  it('gives ten retries about three quarters of an hour', () => {
    const total = Array.from({ length: 10 }, (_, i) => retryDelaySeconds(i + 1)).reduce((sum, seconds) => sum + seconds);
    expect(total).toBe(2_435);
  });
});
