/** Lists that come page by page. */
import { type Call, jsonIn, type Transport } from './transport';

/** Yields what is in the pages of a list. @param first query of the first page; each page leads to the next. */
export async function* itemsOf<T>(transport: Transport, call: Call, first: string): AsyncGenerator<T> {
  for (let query: string | undefined = first; query !== undefined; ) {
    const page: { items: T[]; next: string | undefined } = await transport.request(
      { ...call, path: `${call.path}${query}` },
      async (answer) => ({
        items: await jsonIn<T[]>(answer),
        next: nextQuery(answer.headers.get('Link')),
      }),
    );
    yield* page.items;
    query = page.next;
  }
}

/** The query of the next page. Its address is ours to build: a token goes nowhere else. */
function nextQuery(link: string | null): string | undefined {
  const target = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  const start = target?.indexOf('?') ?? -1;
  return target === undefined || start < 0 ? undefined : target.slice(start);
}
