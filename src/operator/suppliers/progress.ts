/**
 * How far a supplier is, at one moment: counts, pace and chart from one snapshot, and why nothing moves where nothing does.
 */
import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import { minuteOf } from '../../shared/dates';
import { type MinuteOfImports, RATE_MINUTES, ratePerMinute } from '../processes/rules';
import { importsSince } from '../processes/store';
import { detailsOf, type SupplierDetails } from './read';
import { supplierByCode } from './store';
import { countsOfSuppliers } from './store-counts';
import { changedBy, firstWaiting, importsInSpans, supplierSince } from './store-progress';

/** Why what is pending does not start. */
export type Standstill =
  /** `since` in Unix milliseconds, `by` whom: null and undefined where that was not noted. */
  | { readonly kind: 'paused'; readonly since: number | null; readonly by: string | undefined }
  /** No schedule window is open; the next one opens then, in Unix milliseconds. */
  | { readonly kind: 'window'; readonly opensAt: number }
  /** Something may start since then, in Unix milliseconds, and nothing has finished for minutes. */
  | { readonly kind: 'stuck'; readonly since: number };

/** Imports added up over spans of `width` minutes, oldest first; the first begins at `since`, in Unix minutes. */
export interface Spans {
  readonly width: number;
  readonly since: number;
  readonly processed: readonly number[];
  readonly errored: readonly number[];
}

export interface SupplierProgress {
  readonly supplier: SupplierDetails;
  /** Accounts imported per minute. */
  readonly perMinute: number;
  readonly standstill: Standstill | undefined;
  readonly spans: Spans;
}

export const RANGES = ['1h', '24h', 'all'] as const;
export type Range = (typeof RANGES)[number];

const WIDTHS = [1, 5, 15, 60, 180, 720];

/** What a range shows: spans of how many minutes, since when. At most about 120 of them. */
function spansOf(range: Range, now: number, firstMinute: number | null): { readonly width: number; readonly since: number } {
  const minutes = { '1h': 60, '24h': 1_440, all: now - (firstMinute ?? now) + 1 }[range];
  const days = Math.max(1, Math.ceil(minutes / 120 / 1_440));
  const width = range === '24h' ? 15 : (WIDTHS.find((one) => minutes <= one * 120) ?? days * 1_440);
  return { width, since: Math.floor((now - minutes + 1) / width) * width };
}

/** Reads what the page of a supplier shows, in one batch: its numbers agree. */
export async function readProgress(deps: Deps, code: string, range: Range): Promise<SupplierProgress | undefined> {
  const db = deps.databaseOf(code);
  const [found] = await query(db, supplierSince({ code }));
  if (!found) return undefined;
  const [now, supplierId] = [deps.now(), found.id];
  const { width, since } = spansOf(range, minuteOf(now), found.firstMinute);
  const [[row], counts, minutes, rows] = await commit(db, [
    supplierByCode({ code }),
    countsOfSuppliers([supplierId]),
    importsSince({ supplierId, minute: minuteOf(now) - RATE_MINUTES }),
    importsInSpans({ supplierId, minute: since, width }),
  ]);
  const supplier = row && detailsOf(row, counts);
  if (!supplier) return undefined;
  const [standstill] = await readStandstills(deps, [{ supplier, minutes }]);
  const bySpan = new Map(rows.map((one) => [one.span, one]));
  const spans = Array.from({ length: Math.floor((minuteOf(now) - since) / width) + 1 }, (_, i) => bySpan.get(since / width + i));
  return {
    supplier,
    perMinute: ratePerMinute(minutes, now),
    standstill,
    spans: { width, since, processed: spans.map((one) => one?.processed ?? 0), errored: spans.map((one) => one?.errored ?? 0) },
  };
}

/** A supplier with what finished in its last minutes. */
export interface SupplierMinutes {
  readonly supplier: SupplierDetails;
  readonly minutes: readonly MinuteOfImports[];
}

/** PENDING processes that are looked at to say what a supplier waits for. */
const MAX_LOOKED = 500;
/** Suppliers that are looked at so at a time, those with most waiting. */
const MAX_SUPPLIERS = 100;

/** Why nothing moves, for each of the suppliers; undefined where something does, or nothing is to. */
export async function readStandstills(deps: Deps, suppliers: readonly SupplierMinutes[]): Promise<(Standstill | undefined)[]> {
  const now = deps.now();
  const isStill = ({ supplier, minutes }: SupplierMinutes): boolean =>
    supplier.counts.PENDING > 0 && !minutes.some((one) => one.minute > now / 60_000 - RATE_MINUTES && one.processed + one.errored > 0);
  const still = suppliers
    .filter((one) => isStill(one) && one.supplier.status !== 'Complete')
    .map(({ supplier }) => supplier)
    .toSorted((a, b) => b.counts.PENDING - a.counts.PENDING);
  const isPaused = ({ status }: SupplierDetails): boolean => status === 'Paused';
  const [paused, waiting] = [still.filter(isPaused), still.filter((one) => one.status === 'Ongoing').slice(0, MAX_SUPPLIERS)];
  // Who paused is looked up for the page of one supplier alone.
  const [pauses, looks] = await Promise.all([
    suppliers.length === 1 ? commit(deps.db, paused.map(whoPaused)) : [],
    commit(
      deps.db,
      waiting.map(({ id }) => firstWaiting({ supplierId: id, now, limit: MAX_LOOKED })),
    ),
  ]);
  const found = new Map<number, Standstill | undefined>([
    ...paused.map(({ id, pausedAt }, i) => [id, { kind: 'paused', since: pausedAt, by: pauses[i]?.[0]?.actor }] as const),
    ...waiting.map((supplier, i) => [supplier.id, standstillOf(supplier, looks[i]?.[0], now)] as const),
  ]);
  return suppliers.map(({ supplier }) => found.get(supplier.id));
}

/** Ids of the audit trail are in the order of time: the entry of a pause has one of its millisecond. */
const whoPaused = ({ code, pausedAt }: SupplierDetails) =>
  changedBy({ subject: `supplier ${code}`, from: (pausedAt ?? 0) * 4_096, to: ((pausedAt ?? 0) + 1_000) * 4_096 });

interface Look {
  readonly waitingSince: number | null;
  readonly opensAt: number | null;
}

function standstillOf({ resumedAt }: SupplierDetails, look: Look | undefined, now: number): Standstill | undefined {
  if (!look) return undefined;
  if (look.waitingSince === null) return look.opensAt === null ? undefined : { kind: 'window', opensAt: look.opensAt };
  const since = Math.max(look.waitingSince, resumedAt);
  return since <= now - RATE_MINUTES * 60_000 ? { kind: 'stuck', since } : undefined;
}
