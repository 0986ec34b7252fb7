/** The queue, what it gave up on, and what operators did. */
import { command, group, needed, text } from './commands.mjs';
import { table } from './table.mjs';

export const queue = command('Is the queue moving?', {}, async (call) => {
  const answer = await call('GET', ['queue']);
  const oldest = answer.oldest_pending;
  const waiting = oldest ? `${oldest.external_account_number} of ${oldest.supplier}, ${oldest.waiting_seconds} s` : 'nothing';
  return [answer, table([{ 'longest waiting': waiting, 'expired leases': answer.expired_leases, 'dead letters': answer.dead_letters }])];
});

export const letters = group('Messages that ran out of tries', {
  list: command('Newest first', {}, async (call) => {
    const answer = await call.list(['dead-letters']);
    const rows = answer.map(({ message_id, supplier, processes, failed_at, redriven_at, dismissed_at }) => ({
      id: message_id,
      supplier,
      accounts: processes,
      'gave up': failed_at,
      're-driven': redriven_at,
      dismissed: dismissed_at,
    }));
    return [answer, table(rows, 'No dead letters.')];
  }),
  redrive: command('Schedule its errored accounts again', { id: needed('Message id') }, async (call, { id }) => {
    const answer = await call('POST', ['dead-letters', id, 'redrive']);
    return [answer, `${answer.retried} accounts are scheduled again.`];
  }),
  dismiss: command('Put it away; the accounts it named stay as they are', { id: needed('Message id') }, async (call, { id }) => {
    const answer = await call('POST', ['dead-letters', id, 'dismiss']);
    return [answer, `${id} is dismissed.`];
  }),
});

export const audit = command('Who changed what, newest first', { limit: text('At most this many (50)') }, async (call, { limit }) => {
  const answer = await call('GET', ['audit'], undefined, { limit });
  const rows = answer.map(({ occurred_at, actor, action, subject }) => ({ when: occurred_at, who: actor, action, subject }));
  return [answer, table(rows, 'Nothing has been changed yet.')];
});
