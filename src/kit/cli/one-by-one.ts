/** Requests that the service takes one at a time, several under way at once: more while it answers well, fewer while it does not. */

const AT_FIRST = 4;
const AT_MOST = 24;

export interface Pace {
  /** True while the service is throttling, failing or silent. */
  readonly isBusy: () => boolean;
}

/** Yields what each call made of its value, as they end. A call that rejects ends it all. */
export async function* oneByOne<Value, Result>(
  values: AsyncIterator<Value>,
  call: (value: Value, index: number) => Promise<Result>,
  { isBusy }: Pace,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<{ readonly index: number; readonly result: Result }>>();
  let atOnce = AT_FIRST;
  let [index, isEnd] = [0, false];
  for (;;) {
    while (!isEnd && running.size < Math.floor(atOnce)) {
      const next = await values.next();
      isEnd = next.done === true;
      if (next.done) break;
      const position = index++;
      running.set(
        position,
        call(next.value, position).then((result) => ({ index: position, result })),
      );
    }
    if (running.size === 0) return;
    const ended = await Promise.race(running.values());
    running.delete(ended.index);
    // One more for each round of answers, half as many at once as soon as there is trouble.
    atOnce = isBusy() ? Math.max(1, atOnce / 2) : Math.min(AT_MOST, atOnce + 1 / atOnce);
    yield ended.result;
  }
}
