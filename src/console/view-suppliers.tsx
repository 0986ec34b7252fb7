import type { FC } from 'hono/jsx';
import { isUnreadable, minutesLeft, type Standstill, type SupplierDetails } from '../operator';
import { at, Progress, SupplierBadge, Why } from './parts';
import { count, plural, rate, shortSpan } from './words';

export interface SupplierPace {
  readonly supplier: SupplierDetails;
  /** Accounts imported per minute. */
  readonly perMinute: number;
  readonly standstill: Standstill | undefined;
  /** Creates refused in the last 24 hours. */
  readonly refused: number;
}

const REASONS = { unreadable: 'unreadable', stuck: 'not moving', errored: 'with errors', refused: 'with refused creates' } as const;

/** Why somebody has to act on a supplier. What errored under a Complete one cannot be retried any more. */
const reasonsOf = ({ supplier, standstill, refused }: SupplierPace): (keyof typeof REASONS)[] => [
  ...(isUnreadable(supplier) ? (['unreadable'] as const) : []),
  ...(standstill?.kind === 'stuck' ? (['stuck'] as const) : []),
  ...(supplier.counts.ERRORED > 0 && supplier.status !== 'Complete' ? (['errored'] as const) : []),
  ...(refused > 0 ? (['refused'] as const) : []),
];

export const needsAttention = (pace: SupplierPace): boolean => reasonsOf(pace).length > 0;

/** Accounts per minute and what is left of the way, or why nothing moves. */
const Pace: FC<SupplierPace> = ({ supplier, perMinute, standstill }) => {
  const { PENDING, IN_PROGRESS } = supplier.counts;
  const left = supplier.status === 'Ongoing' ? minutesLeft(PENDING + IN_PROGRESS, perMinute) : undefined;
  if (perMinute > 0) {
    return (
      <>
        <b>{rate(perMinute)}</b> a minute{left === undefined ? null : ` · ${shortSpan(left)} left`}
      </>
    );
  }
  if (isUnreadable(supplier)) return <>cannot be read</>;
  if (standstill) return <Why standstill={standstill} isShort />;
  return <>{PENDING > 0 ? 'waiting' : IN_PROGRESS > 0 ? 'starting' : '–'}</>;
};

const Row: FC<{ pace: SupplierPace }> = ({ pace }) => {
  const { supplier, refused } = pace;
  const { code, name, status, counts } = supplier;
  const needs = reasonsOf(pace);
  const list = (wanted: string) => `${at('suppliers', code, 'processes')}?status=${wanted}`;
  return (
    <tr id={`supplier-${code}`} data-is={`${needs.length > 0 ? 'attention' : ''} ${status ?? ''}`}>
      <td>
        <a class="main" id={`to-${code}`} href={at('suppliers', code)}>
          {name}
        </a>{' '}
        <code class="soft">{code}</code>
      </td>
      <td class="tight">
        <SupplierBadge supplier={supplier} />
      </td>
      <td class="wide bar-cell">
        <Progress id={`bar-${code}`} counts={counts} refused={refused} />
      </td>
      <td class="tight number wide">{count(counts.PROCESSED)}</td>
      <td class="tight number wide">{count(counts.PENDING + counts.IN_PROGRESS)}</td>
      <td class="tight number">
        {counts.ERRORED > 0 ? (
          <a id={`errored-${code}`} class="bad" href={list('ERRORED')}>
            {count(counts.ERRORED)}
          </a>
        ) : (
          '0'
        )}
      </td>
      <td class="tight number wide">
        {refused > 0 ? (
          <a id={`refused-${code}`} class="bad" href={at('suppliers', code, 'refusals')}>
            {count(refused)}
          </a>
        ) : (
          '0'
        )}
      </td>
      <td class="tight soft wide">
        <Pace {...pace} />
      </td>
    </tr>
  );
};

/** Columns, and which of them give way on a phone. */
const COLUMNS = [
  ['Supplier', ''],
  ['Status', ''],
  ['Progress', 'wide'],
  ['Imported', 'wide'],
  ['Waiting', 'wide'],
  ['Errored', ''],
  ['Refused, 24 h', 'wide'],
  ['Pace', 'wide'],
] as const;

/** Suppliers in the order they are given; the browser searches, filters and sorts them. */
export const Suppliers: FC<{ suppliers: readonly SupplierPace[] }> = ({ suppliers }) => (
  <table class="table dense" data-list>
    <caption class="visually-hidden">Suppliers; what needs attention comes first</caption>
    <thead>
      <tr>
        {COLUMNS.map(([name, kind], i) => (
          <th class={kind}>
            <button type="button" class="sort" id={`sort-${i}`}>
              {name}
            </button>
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {suppliers.map((pace) => (
        <Row pace={pace} />
      ))}
    </tbody>
  </table>
);

/** What is the matter in one sentence: nothing is said to be well that was not looked at. */
export function headlineOf(suppliers: readonly SupplierPace[], isQueueWell: boolean): string {
  const reasons = suppliers.map(reasonsOf);
  const needing = reasons.filter((one) => one.length > 0).length;
  const moving = suppliers.filter(({ perMinute }) => perMinute > 0).length;
  if (needing === 0) {
    const what = moving > 0 ? `${count(moving)} of ${plural(suppliers.length, 'supplier')} moving.` : 'Nothing is being imported.';
    return `${isQueueWell ? 'No supplier needs attention' : 'No supplier needs attention, but the queue does'}. ${what}`;
  }
  const parts = Object.entries(REASONS).flatMap(([reason, words]) => {
    const n = reasons.filter((one) => one.some((each) => each === reason)).length;
    return n > 0 ? [`${count(n)} ${words}`] : [];
  });
  return `${count(needing)} of ${plural(suppliers.length, 'supplier')} ${needing === 1 ? 'needs' : 'need'} attention: ${parts.join(', ')}.${isQueueWell ? '' : ' So does the queue.'}`;
}
