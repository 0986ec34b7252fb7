import type { FC } from 'hono/jsx';
import type { DeadLetter } from '../operator';
import { Page } from './layout';
import { May } from './may';
import { at, Badge, Empty, Moment, Pager } from './parts';
import { Form } from './parts-forms';
import type { Session } from './session';
import { plural } from './words';

export interface DeadLettersProps {
  readonly session: Session;
  readonly letters: readonly DeadLetter[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly notice: string | undefined;
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
      <May role={session.role} needs="operate">
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
      </May>
    ) : null}
  </li>
);

export const DeadLettersPage: FC<DeadLettersProps> = ({ session, letters, isFirst, next, notice, refused }) => (
  <Page title="Dead letters" place="Dead letters" session={session} notice={notice}>
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
          <p>Everything the queue was given has been delivered. A message whose delivery fails for good is listed here.</p>
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
