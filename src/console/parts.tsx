/**
 * What pages are made of.
 */
import type { Child, FC } from 'hono/jsx';
import type { Status } from '../import-processes';
import { isUnreadable, type Standstill, type StatusCounts, type SupplierDetails } from '../operator';
import { isoInstant } from '../shared/dates';
import { type Change, count, plural, STATUS_WORDS, SUPPLIER_WORDS, type Tone } from './words';

/** A path under `/operator/`, each part percent-encoded. */
export const at = (...parts: readonly string[]): string => `/operator/${parts.map((part) => `${encodeURIComponent(part)}/`).join('')}`;

export const Badge: FC<{ words: string; tone: Tone }> = ({ words, tone }) => <span class={`badge ${tone}`}>{words}</span>;
export const StatusBadge: FC<{ status: Status }> = ({ status }) => <Badge words={STATUS_WORDS[status][0]} tone={STATUS_WORDS[status][1]} />;
export const SupplierBadge: FC<{ supplier: SupplierDetails }> = ({ supplier }) => (
  <>
    {supplier.status ? <Badge words={SUPPLIER_WORDS[supplier.status][0]} tone={SUPPLIER_WORDS[supplier.status][1]} /> : null}
    {isUnreadable(supplier) ? <Badge words="Unreadable" tone="bad" /> : null}
  </>
);

/** A moment; the browser shows it in the viewer's zone, UTC stays on hover. */
export const Moment: FC<{ instant: number }> = ({ instant }) => {
  const iso = isoInstant(instant);
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return (
    <time datetime={iso} title={utc}>
      {utc}
    </time>
  );
};

const PARTS = [
  ['PROCESSED', 'imported'],
  ['IN_PROGRESS', 'moving'],
  ['ERRORED', 'errored'],
  ['PENDING', 'pending'],
] as const;

const WIDTH = 1000;
/** A part that holds anything stays visible. */
const LEAST = 8;

/** What the bar of a supplier counts: its import processes, and creates that were refused before there was one. */
export interface ProgressCounts {
  readonly counts: StatusCounts;
  /** Lately. */
  readonly refused: number;
}

/** Parts of the bar with their words. What was refused is only there where something was. */
const partsOf = ({ counts, refused }: ProgressCounts) => [
  ...PARTS.map(([status, name]) => ({ name, value: counts[status], words: STATUS_WORDS[status][0].toLowerCase() })),
  ...(refused > 0 ? [{ name: 'refused', value: refused, words: 'refused' }] : []),
];

/** How far a supplier's import is: imported, in progress, errored, pending, refused. */
export const Progress: FC<ProgressCounts & { id: string }> = ({ id, ...given }) => {
  const parts = partsOf(given);
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const widths = parts.map(({ value }) => (value === 0 ? 0 : Math.max(LEAST, (value / total) * WIDTH)));
  const scale =
    WIDTH /
    Math.max(
      1,
      widths.reduce((sum, width) => sum + width, 0),
    );
  const summary = parts.map(({ value, words }) => `${count(value)} ${words}`).join(', ');
  let x = 0;
  return (
    <svg
      class="bar"
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
      data-share={(given.counts.PROCESSED / Math.max(1, total)).toFixed(4)}
    >
      {parts.map(({ name }, i) => {
        const width = (widths[i] ?? 0) * scale;
        const left = x;
        x += width;
        return <rect id={`${id}-${name}`} class={name} x={left.toFixed(1)} y="0" width={width.toFixed(1)} height="10" />;
      })}
    </svg>
  );
};

/** Why nothing moves. */
export const Why: FC<{ standstill: Standstill; isShort?: boolean }> = ({ standstill, isShort }) => {
  switch (standstill.kind) {
    case 'paused':
      return isShort ? (
        <>
          paused
          {standstill.since === null ? null : (
            <>
              {' '}
              since <Moment instant={standstill.since} />
            </>
          )}
        </>
      ) : (
        <>
          <b>Paused</b>
          {standstill.since === null ? null : (
            <>
              {' '}
              since <Moment instant={standstill.since} />
            </>
          )}
          {standstill.by ? ` by ${standstill.by}` : null}. What is pending waits until it is resumed.
        </>
      );
    case 'window':
      return isShort ? (
        <>
          opens <Moment instant={standstill.opensAt} />
        </>
      ) : (
        <>
          <b>Waiting for a window.</b> None is open now; the next one opens at <Moment instant={standstill.opensAt} />.
        </>
      );
    case 'stuck':
      return isShort ? (
        <b class="bad">not moving</b>
      ) : (
        <>
          <b>Nothing moves.</b> Accounts may start since <Moment instant={standstill.since} />, and none has finished for minutes. See{' '}
          <a href="/operator/">the queue</a> and the log.
        </>
      );
  }
};

export const Empty: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <div class="empty">
    <b>{title}</b>
    {children}
  </div>
);

/** A link that opens its page in the dialog, and the page itself without scripts. */
export const DialogLink: FC<{ href: string; class?: string; id?: string; children?: Child }> = ({
  href,
  class: name = 'button',
  id,
  children,
}) => (
  <a
    class={name}
    id={id}
    href={href}
    hx-get={href}
    hx-target="#dialog"
    hx-select="#ask"
    hx-swap="innerHTML"
    hx-trigger="click"
    hx-push-url="false"
  >
    {children}
  </a>
);

/** A secret that was just made: shown here and never again. */
export const Fresh: FC<{ what: string; secret: string }> = ({ what, secret }) => (
  <div class="note good" role="status">
    <b>{what} is ready. Copy it now: it is not shown again.</b>
    <div class="secret">
      <code id="fresh-key">{secret}</code>
      <button type="button" data-copy="fresh-key">
        Copy
      </button>
    </div>
  </div>
);

/** What differs: what was, struck out, and what is. */
export const Changes: FC<{ changes: readonly Change[] }> = ({ changes }) => (
  <ul class="soft small">
    {changes.map(({ key, from, to }) => (
      <li>
        {key}: {from === undefined ? null : <s>{from}</s>} {to ?? 'taken away'}
      </li>
    ))}
  </ul>
);

/** Where the next page is, if there is one. */
export const Pager: FC<{ next: string | undefined; isFirst: boolean; first: string }> = ({ next, isFirst, first }) =>
  next === undefined && isFirst ? null : (
    <nav class="pager" aria-label="Pages">
      {isFirst ? null : (
        <a class="button" href={first}>
          First page
        </a>
      )}
      {next === undefined ? null : (
        <a class="button" href={next} rel="next">
          Older
        </a>
      )}
    </nav>
  );

export const accounts = (value: number): string => plural(value, 'account');
