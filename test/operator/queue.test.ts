/** §10: queue health and dead letters. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, type GivenSupplier } from '../support/given';
import { auditOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

let next = 3_000_000_000;
/** A process written straight into the tables. */
async function aProcess(supplier: GivenSupplier, status: number, over: { lease?: number; scheduledAt?: number } = {}): Promise<number> {
  const id = next++;
  await env.DB.batch([
    env.DB.prepare('INSERT INTO payloads (id, body) VALUES (?, ?)').bind(
      id,
      JSON.stringify({ import_supplier: supplier.code, external_account_number: `X-${id}` }),
    ),
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
         sent_at, modified_at, attempts, claim, lease_until, error) VALUES (?1, ?2, ?3, ?4, '', 50, 0, ?5, ?5, ?6, ?5, 1, ?7, ?8, ?9)`,
    ).bind(
      supplier.supplierId,
      id,
      `X-${id}`,
      status,
      over.scheduledAt ?? Date.now(),
      Date.now(),
      status === 1 ? 7 : null,
      over.lease ?? null,
      status === 3 ? '{"code":"account_import_process_failed","detail":"x"}' : null,
    ),
  ]);
  return id;
}

async function aDeadLetter(message: unknown): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare('INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?, ?, ?, ?)')
    .bind(id, 'account-imports', JSON.stringify(message), next++)
    .run();
  return id;
}

const lastId = async () => (await readRow<{ id: number }>('SELECT max(id) AS id FROM payloads'))?.id;

const statusOf = async (id: number) => (await readRow<{ status: number }>('SELECT status FROM import_processes WHERE id = ?', id))?.status;

describe('GET queue/ 200', () => {
  it('shows the longest waiting process of Ongoing suppliers, expired leases and open dead letters', async () => {
    const [supplier, paused] = [await aSupplier(), await aSupplier({ status: 'Paused' })];
    const id = await aProcess(supplier, 0, { scheduledAt: 60_000 });
    await aProcess(supplier, 0, { scheduledAt: 90_000 });
    await aProcess(paused, 0, { scheduledAt: 1 });
    await aProcess(supplier, 1, { lease: 1 });
    await aProcess(supplier, 1, { lease: Date.now() + 60_000 });
    await aDeadLetter({});
    const { body, status } = await operate('GET', 'queue/');
    expect(status).toBe(200);
    expect(body).toEqual({
      oldest_pending: {
        supplier: supplier.code,
        external_account_number: `X-${id}`,
        scheduled_at: '1970-01-01T00:01:00.000Z',
        waiting_seconds: expect.any(Number),
      },
      expired_leases: 1,
      dead_letters: 1,
      last_sweep_at: null,
      last_sweep_seconds: null,
      takes_new_accounts: true,
      last_id: await lastId(),
      database: { size_bytes: expect.any(Number), limit_bytes: 10_000_000_000, percent: expect.any(Number), level: 'ok' },
    });
  });
});

describe('dead letters', () => {
  it('200: newest first, page by page, without internal ids', async () => {
    const supplier = await aSupplier();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift(await aDeadLetter({ v: 1, supplier_id: supplier.supplierId, process_ids: [1, 2] }));
    const first = await operate('GET', 'dead-letters/?limit=2');
    expect(first.body).toMatchObject(
      ids.slice(0, 2).map((message_id) => ({ message_id, supplier: supplier.code, processes: 2, redriven_at: null })),
    );
    const link = /<\/operator\/v1\/([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? expect.fail();
    expect((await operate('GET', link)).body).toMatchObject([{ message_id: ids[2] }, {}]);
    expect(JSON.stringify(first.body)).not.toContain('process_ids');
  });

  it('200: re-drives what is still ERRORED, once, audited', async () => {
    const supplier = await aSupplier();
    const [errored, processed] = [await aProcess(supplier, 3), await aProcess(supplier, 2)];
    const letter = await aDeadLetter({ v: 1, supplier_id: supplier.supplierId, process_ids: [errored, processed] });
    expect(await operate('POST', `dead-letters/${letter}/redrive/`)).toMatchObject({ status: 200, body: { retried: 1 } });
    await expect.poll(() => statusOf(errored), { timeout: 15_000 }).toBe(2);
    expect(await statusOf(processed)).toBe(2);
    expect(await auditOf(`dead letter ${letter}`)).toMatchObject([
      { action: 'dead_letter.redriven', after: { supplier: supplier.code, processes: 2 } },
    ]);
    expect(await operate('POST', `dead-letters/${letter}/redrive/`)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await auditOf(`dead letter ${letter}`)).toHaveLength(1);
  });

  it('200: leaves out what has no window or no payload any more, and says how many', async () => {
    const supplier = await aSupplier();
    const [errored, over, emptied] = [await aProcess(supplier, 3), await aProcess(supplier, 3), await aProcess(supplier, 3)];
    await env.DB.batch([
      env.DB.prepare('UPDATE import_processes SET window_end = 1 WHERE supplier_id = ? AND id = ?').bind(supplier.supplierId, over),
      env.DB.prepare("UPDATE payloads SET body = '', reduced_at = 1 WHERE id = ?").bind(emptied),
    ]);
    const letter = await aDeadLetter({ v: 1, supplier_id: supplier.supplierId, process_ids: [errored, over, emptied] });
    expect(await operate('POST', `dead-letters/${letter}/redrive/`)).toMatchObject({
      status: 200,
      body: { retried: 1, left_out: { window_over: 1, payload_emptied: 1 } },
    });
    await expect.poll(() => statusOf(errored), { timeout: 15_000 }).toBe(2);
    expect([await statusOf(over), await statusOf(emptied)]).toEqual([3, 3]);
  });

  it('409: a message that could not be read. 404: none such', async () => {
    const letter = await aDeadLetter({});
    expect(await operate('POST', `dead-letters/${letter}/redrive/`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('read') },
    });
    expect(await operate('POST', 'dead-letters/none/redrive/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
