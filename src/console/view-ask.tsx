import type { Child, FC } from 'hono/jsx';
import { Page, type Place } from './layout';
import { Form } from './parts-forms';
import type { Session } from './session';

export interface AskProps {
  readonly session: Session;
  readonly title: string;
  readonly place?: Place;
  /** Where the answer goes, and where "Cancel" leads. */
  readonly action: string;
  readonly back: string;
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** Why the last answer was refused. */
  readonly refused?: string | undefined;
  readonly children?: Child;
}

/** A question before something happens, as a page of its own and inside the dialog. */
export const AskPage: FC<AskProps> = ({ session, title, place = 'Overview', action, back, confirm, isDanger, refused, children }) => (
  <Page title={title} place={place} session={session}>
    <section class="card narrow">
      <div class="card-body">
        <div id="ask">
          <Form class="ask" action={action} token={session.formToken}>
            <h2 id="ask-title">{title}</h2>
            {refused ? (
              <p class="note bad" role="alert">
                {refused}
              </p>
            ) : null}
            {children}
            <div class="actions">
              <a class="button plain" href={back} data-close autofocus={isDanger}>
                Cancel
              </a>
              <button type="submit" class={isDanger ? 'primary danger' : 'primary'} autofocus={!isDanger}>
                {confirm}
              </button>
            </div>
          </Form>
        </div>
      </div>
    </section>
  </Page>
);
