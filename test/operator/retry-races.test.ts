/** §10: a retry that meets the completion of its supplier is refused like one that comes after it. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { retry, retryWithCode } from '../../src/operator/processes/transitions';
import { countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { auditOf } from '../support/operator';
import { readValue } from '../support/tables';

const CODE = 'account_import_process_failed';
let next = 6_500_000;

async function anErrored(supplier: GivenSupplier): Promise<number> {
  const id = next++;
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO payloads (id, body) VALUES (?1, '{}')`).bind(id),
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
         sent_at, finished_at, modified_at, attempts, error)
       VALUES (?1, ?2, ?3, 3, '', 2, 0, 1, 1, 1, 1, 1, 1, '{"code":"${CODE}","detail":"x"}')`,
    ).bind(supplier.supplierId, id, `X-${id}`),
  ]);
  return id;
}

const statusOf = (id: number) => readValue<number>('status', 'SELECT status FROM import_processes WHERE id = ?', id);
const eventsOf = (id: number) => readValue('n', 'SELECT count(*) AS n FROM import_process_events WHERE process_id = ?', id);

/** Deps whose supplier is completed before trip `at`. */
function completedBefore(at: number, supplier: GivenSupplier) {
  const complete = env.DB.prepare(`UPDATE suppliers SET status = 'Complete' WHERE id = ?`).bind(supplier.supplierId);
  const { db } = countingDatabase(env.DB, async (trip) => void (trip === at && (await complete.run())));
  return { ...aDeps(), db, databaseOf: () => db };
}

it('a retry whose supplier is completed before it is written is refused, and neither done nor audited', async () => {
  const supplier = await aSupplier();
  const id = await anErrored(supplier);
  const outcome = await retry(completedBefore(3, supplier), 'me', supplier.code, `X-${id}`);
  expect(outcome).toEqual({ kind: 'refused', detail: expect.stringContaining('Complete') });
  expect([await statusOf(id), await eventsOf(id)]).toEqual([3, 0]);
  expect(await auditOf(`import process ${supplier.code} X-${id}`)).toEqual([]);
});

it('a retry by code whose supplier is completed before it is written retries nothing, and nothing is audited', async () => {
  const supplier = await aSupplier();
  const id = await anErrored(supplier);
  const outcome = await retryWithCode(completedBefore(4, supplier), 'me', supplier.code, CODE);
  expect(outcome).toEqual({ kind: 'refused', detail: expect.stringContaining('Complete') });
  expect([await statusOf(id), await eventsOf(id)]).toEqual([3, 0]);
  expect(await auditOf(`supplier ${supplier.code}`)).toEqual([]);
});
