/** Organisations and their API keys. */
import { command, csv, flag, group, needed, text } from './commands.ts';

export const organisations = group('Who sends accounts', {
  list: command('All organisations', { csv }, async (call) => {
    const answer = await call.list<{ id: string; name: string; is_test: boolean; created_at: string }>(['organisations']);
    const rows = answer.map(({ id, name, is_test, created_at }) => ({
      id,
      name,
      keys: is_test ? 'sk_test_…' : 'sk_live_…',
      created: created_at,
    }));
    return [answer, { rows, empty: 'No organisation yet: organisations create' }];
  }),
  create: command(
    'Make an organisation',
    { name: needed('Name'), test: flag('For tests: its keys begin with sk_test_, for ever') },
    async (call, { name, test }) => {
      const answer = await call<{ id: string }>('POST', ['organisations'], { name, ...(test ? { is_test: true } : {}) });
      return [answer, answer.id];
    },
  ),
});

interface Key {
  readonly id: string;
  readonly label: string;
  readonly last_four?: string;
  readonly is_read_only: boolean;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly last_used_at?: string;
  readonly revoked_at?: string;
}

export const keys = group('API keys of an organisation', {
  list: command('Keys by label and use', { organisation: needed('Organisation id'), csv }, async (call, { organisation }) => {
    const answer = await call.list<Key>(['organisations', organisation, 'api-keys']);
    const rows = answer.map(({ id, label, last_four, is_read_only, created_at, expires_at, last_used_at, revoked_at }) => ({
      id,
      label,
      'ends in': last_four,
      may: is_read_only ? 'read' : 'write',
      created: created_at,
      expires: expires_at,
      'last used': last_used_at,
      state: revoked_at ? 'revoked' : expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'in force',
    }));
    return [answer, { rows, empty: 'No API key yet: keys create' }];
  }),
  create: command(
    'Issue a key; it is shown once',
    {
      organisation: needed('Organisation id'),
      label: text('What it is for', true),
      expires: text('Until when, for example 2027-01-31T00:00:00Z; else it never expires'),
      'read-only': flag('It validates and reads, and changes nothing'),
    },
    async (call, { organisation, label, expires, 'read-only': isReadOnly }) => {
      const body = { label, expires_at: expires, ...(isReadOnly ? { is_read_only: true } : {}) };
      const answer = await call<{ id: string; api_key: string }>('POST', ['organisations', organisation, 'api-keys'], body);
      return [answer, `${answer.api_key}\nKeep it now: it is not shown again. Its id is ${answer.id}.`];
    },
  ),
  revoke: command('Revoke a key: it and its tokens are refused at once', { id: needed('Key id') }, async (call, { id }) => {
    await call('DELETE', ['api-keys', id]);
    return [{ id, revoked: true }, `${id} is revoked.`];
  }),
});
