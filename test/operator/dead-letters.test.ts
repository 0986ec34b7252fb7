/** §10: what the queue gave up on is tried again once, under the conditions of a retry, or put away. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { dismiss, redrive } from '../../src/operator';
import { countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { auditOf, operate } from '../support/operator';
import { readRow, readValue } from '../support/tables';

let next = 6_000_000;

/** An errored process; `windowEnd` in Unix milliseconds. */
async function anErrored(supplier: GivenSupplier, windowEnd: number | null = null): Promise<number> {
  const id = next++;
  await env.DB.prepare(`INSERT INTO payloads (id, body) VALUES (?, '{}')`).bind(id).run();
  await env.DB.prepare(
    `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
       sent_at, finished_at, modified_at, attempts, window_end, error)
     VALUES (?1, ?2, 'X-' || ?2, 3, '', 2, 0, 1, 1, 1, 1, 1, 1, ?3, '{"code":"account_import_process_failed","detail":"x"}')`,
  )
    .bind(supplier.supplierId, id, windowEnd)
    .run();
  return id;
}

async function aLetter(supplier: GivenSupplier, ids: readonly number[]): Promise<string> {
  const message = JSON.stringify({ v: 1, supplier_id: supplier.supplierId, process_ids: ids });
  return aMessage(message);
}

async function aMessage(message: string): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare('INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?, ?, ?, ?)')
    .bind(id, 'account-imports', message, next++)
    .run();
  return id;
}

const statusOf = (id: number) => readValue<number>('status', 'SELECT status FROM import_processes WHERE id = ?', id);
const scheduledAt = (id: number) => readValue<number>('scheduled_at', 'SELECT scheduled_at FROM import_processes WHERE id = ?', id);
const letterOf = (id: string) =>
  readRow<{ redriven_at: number | null; dismissed_at: number | null }>(
    'SELECT redriven_at, dismissed_at FROM dead_letters WHERE message_id = ?',
    id,
  );
const act = (letter: string, deed: 'redrive' | 'dismiss') => operate('POST', `dead-letters/${letter}/${deed}/`);
const auditedOf = async (letter: string) => (await auditOf(`dead letter ${letter}`)).map(({ action }) => action);
const openLetters = async () => ((await operate('GET', 'queue/')).body as { dead_letters: number }).dead_letters;

const OPEN = { redriven_at: null, dismissed_at: null };
const refusedFor = (words: string) => ({ status: 409, body: { code: 'invalid_transition', detail: expect.stringContaining(words) } });

describe('POST …/redrive/ 409', () => {
  it('under a Complete supplier, and the letter stays for when it goes on', async () => {
    const supplier = await aSupplier({ status: 'Complete' });
    const id = await anErrored(supplier);
    const letter = await aLetter(supplier, [id]);
    expect(await act(letter, 'redrive')).toMatchObject(refusedFor('Complete'));
    expect([await statusOf(id), await letterOf(letter), await auditedOf(letter)]).toEqual([3, OPEN, []]);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE id = ?`).bind(supplier.supplierId).run();
    expect(await act(letter, 'redrive')).toMatchObject({ status: 200, body: { retried: 1 } });
  });

  it('for a message that names no supplier', async () => {
    const letter = await aMessage('{"v":1,"supplier_id":987654321,"process_ids":[1]}');
    expect(await act(letter, 'redrive')).toMatchObject(refusedFor('no supplier'));
    expect((await act(letter, 'dismiss')).status).toBe(200);
  });

  it('once the window of each of its processes is over; what may still start is retried beside others', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const [over, open] = [await anErrored(supplier, Date.now() - 1), await anErrored(supplier, Date.now() + 60_000)];
    const [late, mixed] = [await aLetter(supplier, [over]), await aLetter(supplier, [over, open])];
    expect(await act(late, 'redrive')).toMatchObject(refusedFor('window'));
    expect([await letterOf(late), await auditedOf(late)]).toEqual([OPEN, []]);
    expect(await act(mixed, 'redrive')).toMatchObject({ status: 200, body: { retried: 1 } });
    expect([await statusOf(over), await statusOf(open)]).toEqual([3, 0]);
  });

  it('for the second of two at once: tried again once, audited once', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const id = await anErrored(supplier);
    const letter = await aLetter(supplier, [id]);
    const first: unknown[] = [];
    // Just before the second writes, the first has done it all, and the process has failed once more.
    const counted = countingDatabase(env.DB, async () => {
      const row = await letterOf(letter);
      if (row?.redriven_at === null && counted.trips > 1) {
        first.push(await redrive(aDeps(), 'first', letter));
        await env.DB.prepare('UPDATE import_processes SET status = 3, scheduled_at = 5 WHERE id = ?').bind(id).run();
      }
    });
    const second = await redrive({ ...aDeps(), db: counted.db, databaseOf: () => counted.db }, 'second', letter);
    expect([first, second]).toMatchObject([[{ kind: 'redriven', retried: 1 }], { kind: 'refused' }]);
    expect([await statusOf(id), await scheduledAt(id)]).toEqual([3, 5]);
    expect((await auditOf(`dead letter ${letter}`)).map(({ actor, action }) => [actor, action])).toEqual([
      ['first', 'dead_letter.redriven'],
    ]);
  });

  it('for one that meets the completion of its supplier', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const id = await anErrored(supplier);
    const letter = await aLetter(supplier, [id]);
    const complete = env.DB.prepare(`UPDATE suppliers SET status = 'Complete' WHERE id = ?`).bind(supplier.supplierId);
    const counted = countingDatabase(env.DB, async (trip) => void (trip > 1 && (await complete.run())));
    const outcome = await redrive({ ...aDeps(), db: counted.db, databaseOf: () => counted.db }, 'me', letter);
    expect(outcome).toMatchObject({ kind: 'refused', detail: expect.stringContaining('Complete') });
    expect([await statusOf(id), await letterOf(letter), await auditedOf(letter)]).toEqual([3, OPEN, []]);
  });
});

describe('POST …/dismiss/ 200', () => {
  it.each(['{}', '{"v":2}', 'null', 'not JSON'])('puts a letter away that cannot be read, audited: %s', async (message) => {
    const letter = await aMessage(message);
    const before = await openLetters();
    expect(await act(letter, 'redrive')).toMatchObject(refusedFor('read'));
    expect(await act(letter, 'dismiss')).toMatchObject({ status: 200, body: { message_id: letter, dismissed_at: expect.any(String) } });
    expect(await openLetters()).toBe(before - 1);
    expect(await auditedOf(letter)).toEqual(['dead_letter.dismissed']);
    const list = await operate('GET', 'dead-letters/?limit=500');
    expect(list.body).toContainEqual(expect.objectContaining({ message_id: letter, redriven_at: null, dismissed_at: expect.any(String) }));
  });

  it('leaves the processes of a letter that can be read as they are', async () => {
    const supplier = await aSupplier({ status: 'Complete' });
    const id = await anErrored(supplier);
    const letter = await aLetter(supplier, [id]);
    expect((await act(letter, 'dismiss')).status).toBe(200);
    expect([await statusOf(id), (await letterOf(letter))?.redriven_at]).toEqual([3, null]);
  });

  it('until the message is given up once more', async () => {
    const supplier = await aSupplier();
    const letter = await aLetter(supplier, [next++]);
    await act(letter, 'dismiss');
    const { bury } = await import('../../src/queues/store');
    const { sql, params } = bury({ queue: 'account-imports', messageId: letter, message: '{}', failedAt: Date.now() });
    await env.DB.prepare(sql)
      .bind(...params)
      .run();
    expect(await letterOf(letter)).toEqual(OPEN);
  });
});

describe('POST …/dismiss/ 404, 409', () => {
  it('404: no such letter', async () => {
    expect(await act('none', 'dismiss')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('409: a letter that was dismissed or re-driven, and no re-drive of a dismissed one', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const [dismissed, redriven] = [
      await aLetter(supplier, [await anErrored(supplier)]),
      await aLetter(supplier, [await anErrored(supplier)]),
    ];
    await act(dismissed, 'dismiss');
    await act(redriven, 'redrive');
    expect(await act(dismissed, 'dismiss')).toMatchObject(refusedFor('dismissed'));
    expect(await act(dismissed, 'redrive')).toMatchObject(refusedFor('dismissed'));
    expect(await act(redriven, 'dismiss')).toMatchObject(refusedFor('re-driven'));
    expect([await auditedOf(dismissed), await auditedOf(redriven)]).toEqual([['dead_letter.dismissed'], ['dead_letter.redriven']]);
  });

  it('409: the second of two at once', async () => {
    const letter = await aMessage('{}');
    const answers = await Promise.all([dismiss(aDeps(), 'one', letter), dismiss(aDeps(), 'two', letter)]);
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['dismissed', 'refused']);
    expect(await auditedOf(letter)).toHaveLength(1);
  });
});
