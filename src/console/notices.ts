import { plural } from './words';

/** What happened, by the word in the address: a map, because anybody may write any word there. */
export const NOTICES: ReadonlyMap<string, (n: number) => string> = new Map(
  Object.entries<(n: number) => string>({
    signed_out: () => 'You are signed out.',
    signed_out_here: () =>
      'You are signed out in this browser. The service could not note it: a copy of the cookie works until it expires, at most eight hours.',
    supplier_created: () => 'The supplier is ready: its organisation can import accounts now.',
    saved: () => 'Saved.',
    Paused: () => 'Paused. What was accepted waits; what is being created finishes.',
    Ongoing: () => 'Ongoing. What waited starts now.',
    Complete: () => 'Complete. What was still pending is being cancelled.',
    retried: (n) => (n === 0 ? 'Nothing with that error is left to retry.' : `${plural(n, 'account')} scheduled again.`),
    retried_some: (n) => `${plural(n, 'account')} scheduled again. There are more with that error: retry once more.`,
    not_all_retried: (n) =>
      `All others are scheduled again. ${plural(n, 'account')} cannot be: the schedule window is over, or retention has emptied the payload.`,
    retried_one: () => 'Scheduled again.',
    not_all_retried_here: (n) =>
      `All others are scheduled again. ${plural(n, 'account')} cannot be: no longer errored, its schedule window over, its payload emptied, or the supplier complete.`,
    cancelled: () => 'Cancelled.',
    released: () => 'Released. What may start does so now.',
    held: () => 'Held. What is being created finishes.',
    cancelled_run: (n) => `${plural(n, 'account')} cancelled.`,
    undone: (n) => `${plural(n, 'account')} taken back.`,
    undone_some: (n) => `${plural(n, 'account')} taken back. Others stay: something was added to them, or they are too old.`,
    cancelled_some: (n) => `${plural(n, 'import')} cancelled.`,
    not_all_cancelled: (n) => `All others are cancelled. ${plural(n, 'import')} cannot be: it is not pending any more.`,
    none_selected: () => 'Nothing was selected.',
    erased: () => 'Erased. Nothing brings it back.',
    erased_but_documents: (n) => `Erased. ${plural(n, 'document')} stayed in the bucket; nothing here names them any more.`,
    instruction_ended: () => 'Ended. Another payment instruction of this type can be posted.',
    revoked: () => 'The key is revoked. It and its tokens are refused from now on.',
    operator_token_revoked: () => 'The token is revoked. It and its sessions are refused from now on.',
    alert_test_taken: () => 'The test was taken.',
    alert_test_failed: () => 'The test was not taken. The list says why.',
    alert_address_removed: () => 'The address is removed.',
    organisation_created: () => 'The organisation is there. Give it an API key next.',
    dismissed: () => 'Dismissed. The accounts it named stay as they are.',
    redriven: (n) => `Re-driven: ${plural(n, 'account')} scheduled again.`,
  }),
);
