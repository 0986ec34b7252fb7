import { expect, it } from 'vitest';
import { oneByOne } from '../../src/kit/cli/one-by-one';

/** How many calls were under way at most, in each tenth of them. */
async function paceOf(calls: number, isBusy: (ended: number) => boolean): Promise<number[]> {
  let [running, ended] = [0, 0];
  const most = Array.from({ length: 10 }, () => 0);
  async function* values() {
    for (let index = 0; index < calls; index++) yield index;
  }
  const call = async (index: number) => {
    running++;
    const tenth = Math.floor((index * 10) / calls);
    most[tenth] = Math.max(most[tenth] ?? 0, running);
    await new Promise((resume) => setTimeout(resume, 0));
    running--;
    ended++;
    return index;
  };
  const results: number[] = [];
  for await (const result of oneByOne(values(), call, { isBusy: () => isBusy(ended) })) results.push(result);
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: calls }, (_, index) => index));
  return most;
}

it('more requests are under way while the service answers well, up to a bound', async () => {
  const pace = await paceOf(2_000, () => false);
  expect(pace.at(-1)).toBe(24);
});

it('one at a time is left while the service is in trouble, and more again after it', async () => {
  const pace = await paceOf(2_000, (ended) => ended > 600 && ended < 1_000);
  expect(pace[4]).toBe(1);
  expect(pace.at(-1)).toBe(24);
});

it('the first call that rejects ends them all', async () => {
  async function* values() {
    yield* [1, 2, 3];
  }
  const results = oneByOne(values(), () => Promise.reject(new Error('no')), { isBusy: () => false });
  await expect(results.next()).rejects.toThrow('no');
});
