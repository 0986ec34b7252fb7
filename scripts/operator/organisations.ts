/** Organisations and their API keys. */
import { command, group, needed, text } from './commands.ts';
import { table } from './table.ts';

export const organisations = group('Who sends accounts', {
  list: command('All organisations', {}, async (call) => {
    const answer = await call.list<{ id: string; name: string; created_at: string }>(['organisations']);
    return [
      answer,
      table(
        answer.map(({ id, name, created_at }) => ({ id, name, created: created_at })),
        'No organisation yet: organisations create',
      ),
    ];
  }),
  create: command('Make an organisation', { name: needed('Name') }, async (call, { name }) => {
    const answer = await call<{ id: string }>('POST', ['organisations'], { name });
    return [answer, answer.id];
  }),
});

interface Key {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export const keys = group('API keys of an organisation', {
  list: command('Keys by label and use', { organisation: needed('Organisation id') }, async (call, { organisation }) => {
    const answer = await call.list<Key>(['organisations', organisation, 'api-keys']);
    const rows = answer.map(({ id, label, created_at, last_used_at, revoked_at }) => ({
      id,
      label,
      created: created_at,
      'last used': last_used_at,
      state: revoked_at ? 'revoked' : 'in force',
    }));
    return [answer, table(rows, 'No API key yet: keys create')];
  }),
  create: command(
    'Issue a key; it is shown once',
    { organisation: needed('Organisation id'), label: text('What it is for', true) },
    async (call, { organisation, label }) => {
      const answer = await call<{ id: string; api_key: string }>('POST', ['organisations', organisation, 'api-keys'], { label });
      return [answer, `${answer.api_key}\nKeep it now: it is not shown again. Its id is ${answer.id}.`];
    },
  ),
  revoke: command('Revoke a key: it and its tokens are refused at once', { id: needed('Key id') }, async (call, { id }) => {
    await call('DELETE', ['api-keys', id]);
    return [{ id, revoked: true }, `${id} is revoked.`];
  }),
});
