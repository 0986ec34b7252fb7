import type { FC } from 'hono/jsx';
import { Moment } from './parts';
import { Field } from './parts-forms';
import type { Session } from './session';
import { AskPage } from './view-ask';

export interface EraseProps {
  readonly session: Session;
  /** Whose data: an account or an import, by its number. */
  readonly what: string;
  readonly action: string;
  readonly back: string;
  /** What happens besides. */
  readonly note: string;
  readonly wrong?: string | undefined;
  readonly refused?: string | undefined;
}

export const ErasePage: FC<EraseProps> = ({ session, what, action, back, note, wrong, refused }) => (
  <AskPage session={session} title={`Erase ${what}?`} action={action} back={back} confirm="Erase for good" isDanger refused={refused}>
    <p>
      Names, addresses, notes, free text and payment details are overwritten, and nothing brings them back. Numbers, dates and amounts stay.{' '}
      {note}
    </p>
    <Field
      name="reason"
      label="Reason, for the audit trail"
      wrong={wrong}
      required
      hint="Say which request it answers, nothing of the person."
    />
    <label class="check">
      <input type="checkbox" name="delete_documents" value="true" /> Delete its documents from the bucket, too
    </label>
  </AskPage>
);

/** That there is nothing personal to see any more. */
export const ErasedNote: FC<{ erasedAt: number | null }> = ({ erasedAt }) =>
  erasedAt === null ? null : (
    <p class="note" id="erased">
      Erased <Moment instant={erasedAt} />: what is left are numbers, dates and amounts.
    </p>
  );
