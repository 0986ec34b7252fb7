/** What is promised, and what was measured of it. */
import type { Counted } from './counts.ts';
import { table, verdict } from './figures.ts';
import type { Ratios } from './ratios.ts';

/** `before` is what the same case gave before the work on it began. `isLess`: a smaller figure is the better one. */
interface Promised {
  readonly what: string;
  readonly measured: number | undefined;
  readonly before: string;
  readonly promise: number;
  readonly stretch?: number;
  readonly isLess?: boolean;
}

/** What the same-work peer's CPU is, by ours. */
export interface PeerRatios {
  readonly small: number;
  readonly full: number;
}

const promisesOf = (ratios: Ratios, counted: Counted | undefined, peer: PeerRatios | undefined): readonly Promised[] => [
  { what: 'bulk, small, beside the floor: CPU', measured: ratios.bulkSmall?.cpu, before: '0.40', promise: 0.5, stretch: 0.55 },
  { what: '… rate', measured: ratios.bulkSmall?.rate, before: '0.47', promise: 0.6, stretch: 0.65 },
  { what: 'bulk, 5 KB, beside the floor: CPU', measured: ratios.bulkFull?.cpu, before: '0.40', promise: 0.6, stretch: 0.65 },
  { what: '… rate', measured: ratios.bulkFull?.rate, before: '0.48', promise: 0.65, stretch: 0.7 },
  { what: "the peer's CPU by ours, small", measured: peer?.small, before: '0.96', promise: 1.25, stretch: 1.4 },
  { what: '… 5 KB', measured: peer?.full, before: '1.23', promise: 1.5, stretch: 1.7 },
  { what: 'status read beside the floor: CPU', measured: ratios.status?.cpu, before: '0.87', promise: 0.85, stretch: 0.9 },
  { what: 'validate beside the floor: CPU', measured: ratios.validate?.cpu, before: '0.70', promise: 0.75, stretch: 0.8 },
  { what: 'create to PROCESSED beside the floor: CPU', measured: ratios.create?.cpu, before: '0.61', promise: 0.65, stretch: 0.75 },
  { what: '1,000 transactions beside the floor: rate', measured: ratios.transactions?.rate, before: '0.62', promise: 0.7, stretch: 0.8 },
  { what: '500 notes beside the floor: rate', measured: ratios.notes?.rate, before: '0.49', promise: 0.65, stretch: 0.75 },
  {
    what: 'D1 trips of 10,000 bulk lines, in the worst order',
    measured: counted?.trips,
    before: 'up to 10,000',
    promise: 45,
    isLess: true,
  },
  { what: 'rows written an account, small', measured: counted?.rows, before: '9.0', promise: 9.01, stretch: 8, isLess: true },
];

export function promiseTable(ratios: Ratios, counted: Counted | undefined, peer: PeerRatios | undefined): string {
  const rows = promisesOf(ratios, counted, peer).map(({ what, measured, before, promise, stretch, isLess }) => {
    const digits = isLess ? 3 : 2;
    const figure = (value: number | undefined) => (value === undefined ? '' : String(Number(value.toFixed(digits))));
    return [
      what,
      before,
      measured === undefined ? 'not measured' : figure(measured),
      figure(promise),
      figure(stretch),
      measured === undefined ? '' : verdict(measured, promise, isLess),
    ];
  });
  return table(['what', 'before', 'today', 'promise', 'stretch', 'against the promise'], rows);
}
