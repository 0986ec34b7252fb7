/** §12-3: an event for each effect, once, whatever fails. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps';
import { readEvents } from '../../src/events/read';
import { sweep } from '../../src/import-processes';
import { cancelImport } from '../../src/import-processes/cancel/cancel';
import { addNotes } from '../../src/notes/add';
import { everyMinute } from '../../src/scheduled';
import { aDeps } from '../support/deps';
import { faultyDatabase } from '../support/faults';
import { anImportedAccount, aSupplier, type GivenSupplier } from '../support/given';
import { deliver, stage, stageSlice } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';

const recordedOf = async ({ supplierId }: GivenSupplier): Promise<{ type: string; data: Record<string, unknown[]> }[]> => {
  const results = await readRows<{ type: string; data: string }>(
    'SELECT type, data FROM events WHERE supplier_id = ? ORDER BY id',
    supplierId,
  );
  return results.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
};

/** A database that loses the answer of each trip once, and then of its repeat. */
const forgetful = () => faultyDatabase(env.DB, (call) => (call % 3 === 0 ? undefined : 'after')).db;

const staged = async (given: GivenSupplier, ...numbers: string[]) =>
  stage(
    given,
    numbers.map((number) => aSmallAccount(given.code, number)),
  );

const EFFECTS: Readonly<Record<string, (given: GivenSupplier) => Promise<readonly string[]>>> = {
  'an import': async (given) => {
    const { messages } = await staged(given, 'a');
    await deliver(aDeps({ DB: forgetful() }), messages);
    return ['account_imports.finished'];
  },
  'a cancellation': async (given) => {
    await staged(given, 'a');
    expect(await cancelImport(aDeps({ DB: forgetful() }), given, given.code, 'a')).toEqual({ kind: 'cancelled' });
    return ['account_imports.cancelled'];
  },
  'windows that closed': async (given) => {
    await staged(given, 'a', 'b');
    await env.DB.prepare('UPDATE import_processes SET window_end = 5 WHERE supplier_id = ?').bind(given.supplierId).run();
    await sweep(aDeps({ DB: forgetful() }));
    return ['account_imports.cancelled'];
  },
  'an addition': async (given) => {
    const account = await anImportedAccount(given);
    await addNotes(aDeps({ DB: forgetful() }), given, {
      import_supplier: given.code,
      external_account_number: account.externalAccountNumber,
      notes: [{ body: 'A note.' }],
    });
    return ['notes.added'];
  },
  'tries that ran out': async (given) => {
    const { messages } = await staged(given, 'a');
    await env.DB.prepare('UPDATE import_processes SET failed_at = ?2 WHERE supplier_id = ?1').bind(given.supplierId, Date.now()).run();
    await deliver(aDeps({ DB: forgetful() }), messages, { queue: 'account-imports-dead-letters' });
    return ['account_imports.finished'];
  },
};

describe('events and their retention', () => {
  it('what is deleted while a page is read is reported by 410, and not passed over', async () => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    const add = (body: string) =>
      addNotes(aDeps(), given, { import_supplier: given.code, external_account_number: account.externalAccountNumber, notes: [{ body }] });
    const read = (deps: Deps, cursor?: string) => readEvents(deps, given, given.code, { cursor, limit: 10 });
    const before = await read(aDeps());
    if (before.kind !== 'page') return expect.fail();
    for (const body of ['1', '2', '3']) await add(body);
    // The first trip finds the feed, the second reads the page: in between the sweep comes.
    let trips = 0;
    const swept = new Proxy(env.DB, {
      get: (target, name) => {
        if (name === 'prepare') return (text: string) => target.prepare(text);
        return async (statements: D1PreparedStatement[]) => {
          if (++trips === 2) await target.prepare('DELETE FROM events WHERE id < (SELECT max(id) FROM events)').run();
          return target.batch(statements);
        };
      },
    });
    expect((await read(aDeps({ DB: swept }), before.cursor)).kind).toBe('expired');
    expect(trips).toBe(2);
  });
});

describe('events and their effects', () => {
  it.each(Object.keys(EFFECTS))('a batch whose answer was lost is repeated, and adds no event: %s', async (name) => {
    const given = await aSupplier();
    const expected = await EFFECTS[name]?.(given);
    expect((await recordedOf(given)).map(({ type }) => type)).toEqual(expected);
  });

  it('a message that is delivered again adds none, and one that nothing came of has none', async () => {
    const given = await aSupplier();
    const { messages, deps } = await staged(given, 'a', 'b');
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE id = ?`).bind(given.supplierId).run();
    await deliver(deps, messages);
    expect(await recordedOf(given)).toEqual([]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Ongoing' WHERE id = ?`).bind(given.supplierId).run();
    await deliver(deps, messages);
    await deliver(deps, messages);
    const imports = (await recordedOf(given)).flatMap(({ data }) => data['imports']);
    expect(imports.map((one) => (one as { external_account_number: string }).external_account_number).sort()).toEqual(['a', 'b']);
  });

  it('imports of several suppliers that end in one batch have an event for each supplier', async () => {
    const [one, two] = [await aSupplier(), await aSupplier()];
    const messages = [...(await staged(one, 'a', 'b')).messages, ...(await staged(two, 'c')).messages];
    await deliver(aDeps(), messages);
    for (const [given, numbers] of [
      [one, ['a', 'b']],
      [two, ['c']],
    ] as const) {
      expect(await recordedOf(given)).toMatchObject([
        { type: 'account_imports.finished', data: { imports: numbers.map((external_account_number) => ({ external_account_number })) } },
      ]);
    }
  });

  it('more than 500 imports that end together are several events', async () => {
    const given = await aSupplier();
    const later = { task_params: { schedule_window_start: '2099-01-01T00:00:00Z', schedule_window_end: '2099-02-01T00:00:00Z' } };
    const bodies = (from: number) => Array.from({ length: 400 }, (_, i) => ({ ...aSmallAccount(given.code, `n${from + i}`), ...later }));
    for (const from of [0, 400, 800]) await stageSlice(given, bodies(from));
    await env.DB.prepare('UPDATE import_processes SET window_end = 5 WHERE supplier_id = ?').bind(given.supplierId).run();
    await everyMinute(aDeps());
    const recorded = await recordedOf(given);
    expect(recorded.map(({ data }) => data['imports']?.length)).toEqual([500, 500, 200]);
    expect(new Set(recorded.flatMap(({ data }) => data['imports']).map((one) => JSON.stringify(one))).size).toBe(1_200);
  });
});
