/** Operators by name, and the addresses that get alerts. */
import { command, csv, flag, group, needed, text } from './commands.ts';

interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly last_four: string;
  readonly created_at: string;
  readonly revoked_at?: string;
}

interface Address {
  readonly id: string;
  readonly url: string;
  readonly delivered_at?: string;
  readonly failed_at?: string;
  readonly failure?: string;
}

interface Alert {
  readonly rule: string;
  readonly since: string;
  readonly ended_at?: string;
  readonly summary: string;
}

const KEEP = 'Keep it now: it is not shown again.';

export const tokens = group('Tokens of operators: one for each person and program', {
  list: command('Tokens by name and role', { csv }, async (call) => {
    const answer = await call.list<Token>(['operator-tokens']);
    const rows = answer.map(({ id, name, role, last_four, created_at, revoked_at }) => ({
      id,
      name,
      role,
      'ends in': last_four,
      created: created_at,
      state: revoked_at ? 'revoked' : 'in force',
    }));
    return [answer, { rows, empty: 'No token yet: tokens create' }];
  }),
  create: command(
    'Make a token; it is shown once',
    { name: needed('Who or what it is for; given once, for ever'), role: text('read, operate or administer', true) },
    async (call, { name, role }) => {
      const answer = await call<{ id: string; token: string }>('POST', ['operator-tokens'], { name, role });
      return [answer, `${answer.token}\n${KEEP} Its id is ${answer.id}.`];
    },
  ),
  revoke: command('Revoke a token: it and its sessions are refused at once', { id: needed('Token id') }, async (call, { id }) => {
    await call('DELETE', ['operator-tokens', id]);
    return [{ id, revoked: true }, `${id} is revoked.`];
  }),
});

const addresses = group('Where alerts are sent', {
  list: command('Addresses, and what became of the latest delivery', { csv }, async (call) => {
    const answer = await call.list<Address>(['alert-addresses']);
    const rows = answer.map(({ id, url, delivered_at, failed_at, failure }) => ({
      id,
      url,
      'last taken': delivered_at,
      'last failed': failed_at,
      failure,
    }));
    return [answer, { rows, empty: 'No address yet: alerts addresses add' }];
  }),
  add: command('Have alerts sent to an address; its secret is shown once', { to: needed('https://…') }, async (call, { to }) => {
    const answer = await call<{ id: string; secret: string }>('POST', ['alert-addresses'], { url: to });
    return [answer, `${answer.secret}\n${KEEP} The id of the address is ${answer.id}.`];
  }),
  try: command('Send a test now', { id: needed('Address id') }, async (call, { id }) => {
    const answer = await call<{ is_taken: boolean; failure?: string }>('POST', ['alert-addresses', id, 'test']);
    return [answer, answer.is_taken ? 'It was taken.' : `It was not taken: ${answer.failure}.`];
  }),
  remove: command('Send nothing there any more', { id: needed('Address id') }, async (call, { id }) => {
    await call('DELETE', ['alert-addresses', id]);
    return [{ id, removed: true }, `${id} is removed.`];
  }),
});

export const alerts = group('What is to be looked at', {
  list: command('What fires and since when', { all: flag('Those that ended as well'), csv }, async (call, { all }) => {
    const answer = await call.list<Alert>(['alerts'], all ? {} : { firing: 'true' });
    const rows = answer.map(({ rule, since, ended_at, summary }) => ({ since, ended: ended_at, rule, summary }));
    return [answer, { rows, empty: all ? 'No alert in 90 days.' : 'Nothing fires.' }];
  }),
  addresses,
});
