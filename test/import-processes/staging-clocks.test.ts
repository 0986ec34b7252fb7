/** Clocks of isolates differ; what a create may do to a process hangs on what the database says, never on the time. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { accountsInBulk } from '../../src/accounts/bulk/bulk';
import { scheduleAccount } from '../../src/accounts/schedule/schedule';
import { bulkAnswers, sourceOf } from '../../src/bulk';
import { cancelImport } from '../../src/import-processes/cancel/cancel';
import { aDeps, type GivenDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

/** Deps of an isolate whose clock is ahead by so much; behind, if negative. */
function anIsolate(ahead: number): GivenDeps {
  const deps = aDeps();
  deps.advance(ahead);
  return deps;
}

const bodyOf = ({ code }: GivenSupplier, name: string, number = 'a') => ({ ...aSmallAccount(code, number), billing_name: name });

async function create(deps: GivenDeps, given: GivenSupplier, name: string): Promise<string> {
  const body = bodyOf(given, name);
  const { kind } = await scheduleAccount(deps, given, body, JSON.stringify(body));
  await deps.backgroundDone();
  return kind;
}

async function inBulk(deps: GivenDeps, given: GivenSupplier, name: string, numbers: readonly string[]): Promise<string[]> {
  const lines = numbers.map((number) => JSON.stringify(bodyOf(given, name, number)));
  let text = '';
  const source = await sourceOf(new Blob([lines.join('\n')]).stream(), false);
  for await (const piece of bulkAnswers(deps, source, accountsInBulk(deps, given, 'create'))) text += piece;
  await deps.backgroundDone();
  return text
    .trim()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).status);
}

async function rowOf(given: GivenSupplier, number = 'a') {
  const row = await readRow<{
    id: number;
    status: number;
    scheduled_at: number;
    finished_at: number | null;
    modified_at: number;
    name: string;
  }>(
    `SELECT p.id, p.status, p.scheduled_at, p.finished_at, p.modified_at, y.body ->> 'billing_name' AS name
     FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ? AND p.external_account_number = ?`,
    given.supplierId,
    number,
  );
  if (!row) throw new Error('no process');
  return row;
}

const eventsOf = async (id: number) =>
  await readRows<{ occurred_at: number; event: string }>(
    'SELECT occurred_at, event FROM import_process_events WHERE process_id = ? ORDER BY occurred_at',
    id,
  );

const finish = (given: GivenSupplier, status: number, at: number) =>
  env.DB.prepare('UPDATE import_processes SET status = ?2, finished_at = ?3, modified_at = ?3 WHERE supplier_id = ?1')
    .bind(given.supplierId, status, at)
    .run();

describe.each([-500, -5_000, -60_000, 5_000])('an isolate whose clock is %i ms ahead of the others', (ahead) => {
  it('replaces what was staged a moment ago', async () => {
    const given = await aSupplier();
    expect(await create(anIsolate(0), given, 'earlier')).toBe('scheduled');
    const before = await rowOf(given);
    expect(await create(anIsolate(ahead), given, 'later')).toBe('scheduled');
    const after = await rowOf(given);
    expect(after).toMatchObject({ id: before.id, status: 0, name: 'later' });
    expect(after.modified_at).toBeGreaterThan(before.modified_at);
  });

  it.each([3, 4, 5, 6])('schedules again what ended a moment ago, status %i, and its event comes after the end', async (status) => {
    const given = await aSupplier();
    await create(anIsolate(0), given, 'earlier');
    const ended = Date.now();
    await finish(given, status, ended);
    expect(await create(anIsolate(ahead), given, 'later')).toBe('scheduled');
    const after = await rowOf(given);
    expect(after).toMatchObject({ status: 0, name: 'later', finished_at: null });
    expect([after.scheduled_at, after.modified_at].every((at) => at > ended)).toBe(true);
    expect(await eventsOf(after.id)).toEqual([{ occurred_at: after.scheduled_at, event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });

  it('does so in bulk', async () => {
    const given = await aSupplier();
    const numbers = ['a', 'b', 'c'];
    expect(await inBulk(anIsolate(0), given, 'earlier', numbers)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    expect(await inBulk(anIsolate(ahead), given, 'later', ['c', ...numbers])).toEqual(Array(4).fill('SCHEDULED'));
    for (const number of numbers) expect(await rowOf(given, number)).toMatchObject({ status: 0, name: 'later' });
  });

  it('cancels what was staged a moment ago, and another isolate schedules that again', async () => {
    const given = await aSupplier();
    await create(anIsolate(0), given, 'earlier');
    expect(await cancelImport(anIsolate(ahead), given, given.code, 'a')).toEqual({ kind: 'cancelled' });
    expect(await create(anIsolate(0), given, 'earlier')).toBe('scheduled');
    expect(await rowOf(given)).toMatchObject({ status: 0, name: 'earlier' });
  });

  it('has what it staged created, once', async () => {
    const given = await aSupplier();
    await create(anIsolate(0), given, 'earlier');
    const deps = anIsolate(ahead);
    await create(deps, given, 'later');
    await deliver(anIsolate(0), deps.sent);
    expect(await rowOf(given)).toMatchObject({ status: 2, name: 'later' });
  });

  it('dates its message no earlier than what it staged, so that it counts as a message of it', async () => {
    const given = await aSupplier();
    await create(anIsolate(0), given, 'earlier');
    const deps = anIsolate(ahead);
    await create(deps, given, 'later');
    const { modified_at } = await rowOf(given);
    expect(deps.sent.map(({ sent_at = 0 }) => sent_at >= modified_at)).toEqual([true]);
  });
});
