/**
 * What operators did: who, what, to what, in words, and looked up by each of them.
 */
import type { FC } from 'hono/jsx';
import type { AuditRow } from '../audit';
import { Page } from './layout';
import { at, Empty, Moment, Pager } from './parts';
import type { Session } from './session';
import { ACTIONS, actionWords, type Change, changesBetween, fieldWords, plural } from './words';

const AUDIT = '/operator/audit/';

/** What a filter may say, as the address has it. */
export const AUDIT_FILTERS = ['actor', 'action', 'supplier', 'from', 'to'] as const;
export type AuditAsked = Readonly<Partial<Record<(typeof AUDIT_FILTERS)[number], string>>>;

export interface AuditProps {
  readonly session: Session;
  readonly entries: readonly AuditRow[];
  readonly asked: AuditAsked;
  /** What of the filter is wrong: then there are no entries. */
  readonly wrong: string | undefined;
  readonly isFirst: boolean;
  readonly next: string | undefined;
}

const parsed = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json));

/** More changes than this are folded away. */
const FEW = 4;

const textOf = (data: unknown, name: string): string | undefined => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The page of what it was done to; undefined where it has none. */
export function pageOfSubject({ subject, supplier, before, after }: AuditRow): string | undefined {
  const process = `import process ${supplier} `;
  if (supplier !== null && subject.startsWith(process)) return at('suppliers', supplier, 'processes', subject.slice(process.length));
  const [, kind, id = ''] = /^(supplier|account|organisation|api key|operator token|alert address|dead letter) (.+)$/s.exec(subject) ?? [];
  switch (kind) {
    case 'supplier':
      return at('suppliers', id);
    case 'account':
      return at('accounts', id);
    case 'organisation':
      return at('organisations', id);
    case 'api key': {
      const organisation = textOf(parsed(after) ?? parsed(before), 'organisation_id');
      return organisation === undefined ? undefined : at('organisations', organisation);
    }
    case 'operator token':
      return at('operator-tokens');
    case 'alert address':
      return at('alerts');
    case 'dead letter':
      return at('dead-letters');
    default:
      return undefined;
  }
}

const InWords: FC<{ changes: readonly Change[] }> = ({ changes }) => (
  <ul class="soft small">
    {changes.map(({ key, from, to }) => (
      <li>
        {fieldWords(key)}:{' '}
        {from === undefined ? (
          to
        ) : to === undefined ? (
          <>{from}, taken away</>
        ) : (
          <>
            from {from} to <b>{to}</b>
          </>
        )}
      </li>
    ))}
  </ul>
);

const linkTo = (asked: AuditAsked): string => `${AUDIT}?${new URLSearchParams({ ...asked }).toString()}`;

const Entry: FC<{ entry: AuditRow }> = ({ entry }) => {
  const [before, after] = [parsed(entry.before), parsed(entry.after)];
  // What was taken away as a whole is shown as it was.
  const changes = after === undefined ? changesBetween({}, before) : changesBetween(before, after);
  const page = pageOfSubject(entry);
  return (
    <li>
      <div class="row-between">
        <span>
          <a class="plain-link" href={linkTo({ actor: entry.actor })}>
            <b>{entry.actor}</b>
          </a>{' '}
          {actionWords(entry.action)} {page === undefined ? <code class="soft">{entry.subject}</code> : <a href={page}>{entry.subject}</a>}
        </span>
        <span class="when">
          <Moment instant={entry.occurredAt} />
        </span>
      </div>
      {changes.length > FEW ? (
        <details>
          <summary>{plural(changes.length, 'detail')}</summary>
          <InWords changes={changes} />
        </details>
      ) : changes.length > 0 ? (
        <InWords changes={changes} />
      ) : null}
    </li>
  );
};

const Filters: FC<{ asked: AuditAsked }> = ({ asked }) => (
  <form class="filters" method="get" action={AUDIT}>
    <input name="actor" type="search" value={asked.actor ?? ''} placeholder="Who" aria-label="Who did it" autocomplete="off" />
    <select name="action" aria-label="What was done">
      <option value="">Anything</option>
      {[...ACTIONS].map(([action, words]) => (
        <option value={action} selected={action === asked.action}>
          {words}
        </option>
      ))}
    </select>
    <input
      name="supplier"
      type="search"
      value={asked.supplier ?? ''}
      placeholder="Supplier code"
      aria-label="Supplier code"
      autocomplete="off"
    />
    <input name="from" type="date" value={asked.from ?? ''} aria-label="From this day on, UTC" />
    <input name="to" type="date" value={asked.to ?? ''} aria-label="Up to this day, UTC" />
    <button type="submit">Show</button>
  </form>
);

export const AuditPage: FC<AuditProps> = ({ session, entries, asked, wrong, isFirst, next }) => {
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <Page title="Audit" place="Audit" session={session}>
      <div class="head">
        <div class="head-text">
          <h1>Audit</h1>
          <p class="lead">Who changed what, newest first. Keys, tokens and payloads are never in here.</p>
        </div>
        {isFiltered ? (
          <a class="button" href={AUDIT}>
            Show everything
          </a>
        ) : null}
      </div>
      {wrong === undefined ? null : (
        <p class="note bad" role="alert">
          {wrong}
        </p>
      )}
      <section class="card" aria-label="Audit log">
        <Filters asked={asked} />
        {entries.length > 0 ? (
          <ul class="entries">
            {entries.map((entry) => (
              <Entry entry={entry} />
            ))}
          </ul>
        ) : isFiltered ? (
          <Empty title="Nothing matches" />
        ) : (
          <Empty title="Nothing has been changed yet">
            <p>Each change an operator makes is listed here with what was before and after.</p>
          </Empty>
        )}
        <Pager next={next} isFirst={isFirst} first={linkTo(asked)} />
      </section>
    </Page>
  );
};
