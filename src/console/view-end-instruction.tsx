import type { FC } from 'hono/jsx';
import { at } from './parts';
import { Field } from './parts-forms';
import type { Session } from './session';
import { AskPage } from './view-ask';

export interface EndInstructionProps {
  readonly session: Session;
  readonly number: string;
  readonly type: string;
  /** What is wrong with the reason that was given. */
  readonly wrong?: string | undefined;
}

export const EndInstructionPage: FC<EndInstructionProps> = ({ session, number, type, wrong }) => (
  <AskPage
    session={session}
    title={`End the ${type} payment instruction of ${number}?`}
    action={at('accounts', number, 'payment-instructions', type, 'end')}
    back={at('accounts', number)}
    confirm="End it"
    isDanger
  >
    <p>It becomes history. The importer can post another; the vendor is not notified.</p>
    <Field name="reason" label="Reason, for the audit trail" wrong={wrong} required />
  </AskPage>
);
