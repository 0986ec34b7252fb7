/** §10: errors and retries by code, however many there are. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { depsFrom } from '../../src/deps';
import { retryWithCode } from '../../src/operator';
import { appOf } from '../../src/routes';
import { countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { auditOf, OPERATOR, operate } from '../support/operator';
import { readValue } from '../support/tables';

const VALIDATION = 'import_process_failed_validation';
const FAILED = 'account_import_process_failed';
let next = 5_000_000;

/** Errored processes with one error, ids in a row, under a supplier that is paused so that nothing is sent. Answers the first id. */
async function errored(supplier: GivenSupplier, count: number, code: string, fieldCode?: string): Promise<number> {
  const first = next;
  next += count;
  const errors = fieldCode === undefined ? {} : { errors: [{ attr: 'a', code: fieldCode, detail: 'x' }] };
  await env.DB.prepare(
    `INSERT INTO payloads (id, body) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1) SELECT ?1 + i, '{}' FROM n`,
  )
    .bind(first, count)
    .run();
  await env.DB.prepare(
    `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
       scheduled_at, sent_at, finished_at, modified_at, attempts, error)
     WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?3 - 1)
     SELECT ?1, ?2 + i, 'E-' || CAST(?2 + i AS INTEGER), 3, '', 2, 0, 1, 1, 1, 1, 1, 1, ?4 FROM n`,
  )
    .bind(supplier.supplierId, first, count, JSON.stringify({ code, detail: 'x', ...errors }))
    .run();
  return first;
}

const countOf = (supplier: GivenSupplier, status: number) =>
  readValue<number>('n', 'SELECT count(*) AS n FROM import_processes WHERE supplier_id = ? AND status = ?', supplier.supplierId, status);

const retryErrored = (supplier: GivenSupplier, error_code: string) =>
  operate('POST', `suppliers/${supplier.code}/retry-errored/`, { error_code });

describe('errors', () => {
  it('are counted whole, and those beyond the first 20,000 are seen: by code, by field, and as a list', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 20_500, FAILED);
    await errored(supplier, 3, VALIDATION, 'invalid_phone_number');
    expect((await operate('GET', `suppliers/${supplier.code}/errors/`)).body).toEqual({
      codes: [
        { code: FAILED, count: 20_500 },
        { code: VALIDATION, count: 3 },
      ],
      field_codes: [{ code: 'invalid_phone_number', count: 3 }],
    });
    const list = await operate('GET', `suppliers/${supplier.code}/import-processes/?error_code=${FAILED}&limit=2`);
    expect((list.body as { external_account_number: string }[]).map((row) => row.external_account_number)).toEqual([
      `E-${next - 4}`,
      `E-${next - 5}`,
    ]);
  });

  it('cost what they are asked for: entries of one index, whatever else there is', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 5_000, FAILED);
    await errored(supplier, 10, VALIDATION);
    const counted = countingDatabase(env.DB);
    const app = appOf((bindings, context) => ({ ...depsFrom(bindings, context), db: counted.db, databaseOf: () => counted.db }));
    const request = new Request(`https://import.test/operator/v1/suppliers/${supplier.code}/retry-errored/`, {
      method: 'POST',
      headers: { ...OPERATOR, 'Content-Type': 'application/json' },
      body: JSON.stringify({ error_code: VALIDATION }),
    });
    expect(await (await app.fetch(request, env, createExecutionContext())).json()).toEqual({ retried: 10, left: 0 });
    expect(counted.rowsRead).toBeLessThan(500);
  });
});

describe('a retry by code', () => {
  it('finds what lies behind 20,000 others', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 20_500, FAILED);
    await errored(supplier, 3, VALIDATION);
    expect((await retryErrored(supplier, VALIDATION)).body).toEqual({ retried: 3, left: 0 });
    expect([await countOf(supplier, 0), await countOf(supplier, 3)]).toEqual([3, 20_500]);
  });

  it('takes more than 20,000, each slice audited with its number', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 20_500, FAILED);
    expect((await retryErrored(supplier, FAILED)).body).toEqual({ retried: 20_500, left: 0 });
    expect([await countOf(supplier, 0), await countOf(supplier, 3)]).toEqual([20_500, 0]);
    const entries = (await auditOf(`supplier ${supplier.code}`)).map(({ after }) => Object(after).processes);
    expect(entries).toEqual([...Array(10).fill(2_000), 500]);
  });

  it('takes 50,000 in a call, and says how many are left for another', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 50_300, FAILED);
    expect((await retryErrored(supplier, FAILED)).body).toEqual({ retried: 50_000, left: 300 });
    expect((await retryErrored(supplier, FAILED)).body).toEqual({ retried: 300, left: 0 });
    expect([await countOf(supplier, 0), await countOf(supplier, 3)]).toEqual([50_300, 0]);
  });

  it('ends where it began, though what it retried fails again meanwhile', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    await errored(supplier, 4_500, FAILED);
    const failAgain = env.DB.prepare(`UPDATE import_processes SET status = 3, error = ?2 WHERE supplier_id = ?1 AND status = 0`).bind(
      supplier.supplierId,
      JSON.stringify({ code: FAILED, detail: 'again' }),
    );
    let late = false;
    const counted = countingDatabase(env.DB, async (trip) => {
      await failAgain.run();
      if (trip > 2 && !late) {
        late = true;
        await errored(supplier, 700, FAILED);
      }
    });
    const outcome = await retryWithCode({ ...aDeps(), db: counted.db, databaseOf: () => counted.db }, 'me', supplier.code, FAILED);
    expect(outcome).toEqual({ kind: 'done', retried: 4_500, left: 0, leftOut: { windowOver: 0, payloadEmptied: 0 } });
    expect(late).toBe(true);
  });

  it('leaves alone what may not start any more: its window is over', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const first = await errored(supplier, 3, FAILED);
    await env.DB.prepare('UPDATE import_processes SET window_end = ? WHERE id = ?')
      .bind(Date.now() - 1, first)
      .run();
    expect((await retryErrored(supplier, FAILED)).body).toEqual({ retried: 2, left: 0, left_out: { window_over: 1, payload_emptied: 0 } });
    expect([await countOf(supplier, 0), await countOf(supplier, 3)]).toEqual([2, 1]);
  });
});
