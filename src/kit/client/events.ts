/** Events (§12): what happened under a supplier, in the order in which it was committed. */
import type { ImportEvent } from './answers';
import { pause } from './retries';
import type { CallOptions } from './transport';

/** `GET events/{supplier}/`. */
export interface EventPage {
  readonly events: readonly ImportEvent[];
  /** Where to go on, now or at any later time. */
  readonly cursor: string;
  /** Ask again at once. */
  readonly has_more: boolean;
}

export interface EventPageOptions extends CallOptions {
  /** From the oldest event there is without. */
  readonly cursor?: string;
  /** Events at most, 1 to 1,000; 100 unless given. */
  readonly limit?: number;
}

export interface EventsOptions extends EventPageOptions {
  /** True waits for what happens next, until the signal ends it. Default false: ends with the newest event. */
  readonly follow?: boolean;
  /** Between two looks while following. Default 5,000. */
  readonly pollMilliseconds?: number;
  /**
   * Called with each page's cursor once all of its events were taken. Keep it with what you made of them: whoever goes on from it
   * misses none. Those of the page in which you stopped come again, with the same ids.
   */
  readonly onCursor?: (cursor: string) => void | Promise<void>;
}

export const eventsPath = (supplier: string, { cursor, limit }: EventPageOptions): string => {
  const query = new URLSearchParams();
  if (cursor !== undefined) query.set('cursor', cursor);
  if (limit !== undefined) query.set('limit', String(limit));
  return `/v2/data-import/events/${encodeURIComponent(supplier)}/${query.size > 0 ? `?${query.toString()}` : ''}`;
};

/** Every event behind the cursor, page by page. */
export async function* eventsOf(
  read: (options: EventPageOptions) => Promise<EventPage>,
  { follow = false, pollMilliseconds = 5_000, onCursor, ...options }: EventsOptions,
): AsyncGenerator<ImportEvent, void, void> {
  for (let given: EventPageOptions = { limit: 1_000, ...options }; ; ) {
    const { events, cursor, has_more } = await read(given);
    yield* events;
    await onCursor?.(cursor);
    given = { ...given, cursor };
    if (has_more) continue;
    if (!follow) return;
    await pause(pollMilliseconds, options.signal);
  }
}
