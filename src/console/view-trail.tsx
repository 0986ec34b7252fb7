/**
 * What operators did, and what the queue gave up on.
 */
import type { FC } from 'hono/jsx';
import type { AuditRow } from '../audit';
import type { DeadLetter } from '../operator';
import { Page } from './layout';
import { at, Badge, Changes, Empty, Form, Moment, Pager } from './parts';
import type { Session } from './session';
import { actionWords, changesBetween, plural } from './words';

export interface AuditProps {
  readonly session: Session;
  readonly entries: readonly AuditRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
}

const parsed = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json));

/** More changes than this are folded away. */
const FEW = 4;

const Entry: FC<{ entry: AuditRow }> = ({ entry }) => {
  const changes = changesBetween(parsed(entry.before), parsed(entry.after));
  return (
    <li>
      <div class="row-between">
        <span>
          <b>{entry.actor}</b> {actionWords(entry.action)} <code class="soft">{entry.subject}</code>
        </span>
        <span class="when">
          <Moment instant={entry.occurredAt} />
        </span>
      </div>
      {changes.length > FEW ? (
        <details>
          <summary>{plural(changes.length, 'detail')}</summary>
          <Changes changes={changes} />
        </details>
      ) : changes.length > 0 ? (
        <Changes changes={changes} />
      ) : null}
    </li>
  );
};

export const AuditPage: FC<AuditProps> = ({ session, entries, isFirst, next }) => (
  <Page title="Audit" place="Audit" session={session}>
    <div class="head">
      <div class="head-text">
        <h1>Audit</h1>
        <p class="lead">Who changed what, newest first. Keys, tokens and payloads are never in here.</p>
      </div>
    </div>
    <section class="card" aria-label="Audit log">
      {entries.length === 0 ? (
        <Empty title="Nothing has been changed yet">
          <p>Each change an operator makes is kept here with what was before and after.</p>
        </Empty>
      ) : (
        <ul class="entries">
          {entries.map((entry) => (
            <Entry entry={entry} />
          ))}
        </ul>
      )}
      <Pager next={next} isFirst={isFirst} first="/operator/audit/" />
    </section>
  </Page>
);

export interface DeadLettersProps {
  readonly session: Session;
  readonly letters: readonly DeadLetter[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly told: string | undefined;
  readonly refused: string | undefined;
}

const LetterBadge: FC<{ letter: DeadLetter }> = ({ letter }) => {
  if (letter.redrivenAt !== null) return <Badge words="Re-driven" tone="good" />;
  if (letter.dismissedAt !== null) return <Badge words="Dismissed" tone="quiet" />;
  return <Badge words={letter.processes > 0 ? 'Waiting for you' : 'Unreadable'} tone="held" />;
};

const Letter: FC<{ session: Session; letter: DeadLetter }> = ({ session, letter }) => (
  <li>
    <div>
      <span class="head-line">
        {letter.supplierCode === null ? (
          <b>A message that could not be read</b>
        ) : (
          <span>
            {plural(letter.processes, 'account')} of{' '}
            <a class="main" href={at('suppliers', letter.supplierCode)}>
              {letter.supplierCode}
            </a>
          </span>
        )}
        <LetterBadge letter={letter} />
      </span>
      <div class="soft small">
        <code>{letter.queue}</code> · gave up <Moment instant={letter.failedAt} />
      </div>
    </div>
    {letter.redrivenAt === null && letter.dismissedAt === null ? (
      <div class="actions">
        {letter.processes > 0 ? (
          <Form action={at('dead-letters', letter.messageId, 'redrive')} token={session.formToken}>
            <button type="submit">Re-drive</button>
          </Form>
        ) : null}
        <Form action={at('dead-letters', letter.messageId, 'dismiss')} token={session.formToken}>
          <button type="submit" class={letter.processes > 0 ? 'plain' : undefined}>
            Dismiss
          </button>
        </Form>
      </div>
    ) : null}
  </li>
);

export const DeadLettersPage: FC<DeadLettersProps> = ({ session, letters, isFirst, next, told, refused }) => (
  <Page title="Dead letters" place="Dead letters" session={session} told={told}>
    <div class="head">
      <div class="head-text">
        <h1>Dead letters</h1>
        <p class="lead">
          Messages that ran out of tries. Their accounts are errored; re-driving one schedules those again, dismissing one puts it away.
        </p>
      </div>
    </div>
    {refused ? (
      <p class="note bad" role="alert">
        {refused}
      </p>
    ) : null}
    <section class="card" aria-label="Dead letters">
      {letters.length === 0 ? (
        <Empty title="No dead letters">
          <p>Everything the queue was given has been delivered. If that ever fails for good, it is kept here.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {letters.map((letter) => (
            <Letter session={session} letter={letter} />
          ))}
        </ul>
      )}
      <Pager next={next} isFirst={isFirst} first="/operator/dead-letters/" />
    </section>
  </Page>
);
