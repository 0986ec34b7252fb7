import { beforeAll, expect, it } from 'vitest';
import { runSeed } from './history';
import { observe } from './observer';

beforeAll(observe);

/** Ids of requests are nobody's choice. */
const replayed = async (seed: number): Promise<string> =>
  (await runSeed(seed)).trace.join('\n').replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');

it.each([3, 17, 114, 217])('gives the same history of seed %i whenever it is asked', { timeout: 60_000 }, async (seed) => {
  expect(await replayed(seed)).toBe(await replayed(seed));
});
