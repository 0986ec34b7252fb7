/** §4.3 `POST /v1/data-import/historical-statements/create/` */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { anAccountOfASupplier, bodyOf, describeRefusals, type Endpoint, errorsOf, post, postCounted, stored } from '../support/additions';
import { aDocument, anImportedAccount, call } from '../support/given';
import { readRows } from '../support/tables';

const STATEMENTS: Endpoint = { path: '/v1/data-import/historical-statements/create/', list: 'statements', table: 'statements' };

const statement = (id: string, more: Record<string, unknown> = {}) => ({
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-01-31',
  statement_id: id,
  ...more,
});

describe('201', () => {
  it('returns the validated data and keeps it, with the key of its document', async () => {
    const root = `root-${crypto.randomUUID()}`;
    const given = await anAccountOfASupplier({ configuration: { documents_root: root } });
    await aDocument(`${root}/2025/january.pdf`);
    const full = statement('S-1', {
      issued_date: '2025-02-03',
      number: '000123',
      gross_amount: 12345,
      statement_path: '/2025/january.pdf',
    });
    const { status, body } = await post(STATEMENTS, given, [full, statement('S-2')]);
    expect([status, body]).toEqual([201, bodyOf(STATEMENTS, given, [full, statement('S-2')])]);
    const rows = await stored(STATEMENTS, given);
    expect(rows).toMatchObject([
      { statement_id: 'S-1', document_key: `${root}/2025/january.pdf` },
      { statement_id: 'S-2', document_key: null },
    ]);
    expect(rows.map(({ content }) => JSON.parse(String(content)))).toEqual([full, statement('S-2')]);
  });

  it('is later than its account, whatever clocks say: what has its moment came with its payload', async () => {
    const given = await anAccountOfASupplier();
    const ahead = Date.now() + 3_600_000;
    await env.DB.prepare('UPDATE accounts SET created_at = ? WHERE id = ?').bind(ahead, given.account.id).run();
    expect((await post(STATEMENTS, given, [statement('S-1')])).status).toBe(201);
    expect(await stored(STATEMENTS, given)).toMatchObject([{ created_at: ahead + 1 }]);
  });

  it('omits what was not given and what is not documented', async () => {
    const given = await anAccountOfASupplier();
    const { status, body } = await post(STATEMENTS, given, [
      statement('S-1', { issued_date: null, number: '', gross_amount: null, statement_path: null, colour: 'red' }),
    ]);
    expect([status, body]).toEqual([201, bodyOf(STATEMENTS, given, [statement('S-1')])]);
  });

  it.each([0, -0.005, 10.5, 12_345_678_901, 1e21, 1e-7])('keeps the gross amount %s as the number it is', async (gross_amount) => {
    const given = await anAccountOfASupplier();
    const { status, body } = await post(STATEMENTS, given, [statement('S-1', { gross_amount })]);
    expect([status, body]).toEqual([201, bodyOf(STATEMENTS, given, [statement('S-1', { gross_amount })])]);
    expect(await readRows("SELECT content ->> 'gross_amount' AS gross FROM statements WHERE account_id = ?", given.account.id)).toEqual([
      { gross: gross_amount },
    ]);
  });

  it('takes numbers in every spelling of JSON', async () => {
    const given = await anAccountOfASupplier();
    const text = JSON.stringify(bodyOf(STATEMENTS, given, [statement('S-1', { gross_amount: 7 })]));
    for (const spelling of ['1e2', '100', '100.00']) {
      const { status, body } = await call('POST', STATEMENTS.path, {
        token: given.supplier.token,
        body: text.replace('"gross_amount":7', `"gross_amount":${spelling}`),
      });
      expect([status, body]).toEqual([201, bodyOf(STATEMENTS, given, [statement('S-1', { gross_amount: 100 })])]);
    }
    expect(await stored(STATEMENTS, given)).toHaveLength(1);
  });

  it('takes the same statement again, later and in one request, and keeps one row', async () => {
    const given = await anAccountOfASupplier();
    const one = statement('S-1', { number: '7', gross_amount: 10.5 });
    const reordered = { gross_amount: 10.5, number: '7', issued_date: null, ...statement('S-1') };
    expect((await post(STATEMENTS, given, [one, reordered])).status).toBe(201);
    const before = await stored(STATEMENTS, given);
    const again = await post(STATEMENTS, given, [reordered, statement('S-2')]);
    expect([again.status, again.body]).toEqual([201, bodyOf(STATEMENTS, given, [one, statement('S-2')])]);
    expect(before).toHaveLength(1);
    expect(await stored(STATEMENTS, given)).toEqual([...before, expect.objectContaining({ statement_id: 'S-2' })]);
  });

  it('takes the same id with other content on another account of the supplier', async () => {
    const given = await anAccountOfASupplier();
    const other = { supplier: given.supplier, account: await anImportedAccount(given.supplier) };
    await post(STATEMENTS, given, [statement('S-1')]);
    expect((await post(STATEMENTS, other, [statement('S-1', { number: 'other' })])).status).toBe(201);
  });

  it('leaves exactly one of each after 20 parallel identical posts', async () => {
    const given = await anAccountOfASupplier();
    const items = [statement('S-1'), statement('S-2', { gross_amount: 1 })];
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(STATEMENTS, given, items)));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, bodyOf(STATEMENTS, given, items)]);
    expect(await stored(STATEMENTS, given)).toHaveLength(2);
  });

  it('lets one of 20 parallel posts with different content win, whole', async () => {
    const given = await anAccountOfASupplier();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(STATEMENTS, given, [statement('S-1', { number: `${i}` }), statement(`own-${i}`)])),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await stored(STATEMENTS, given)).map(({ statement_id }) => statement_id)).toEqual(['S-1', `own-${winner}`]);
  });

  it('takes 500 statements with 500 documents in two trips to D1 and few calls to R2', async () => {
    const given = await anAccountOfASupplier();
    const directory = crypto.randomUUID();
    await Promise.all(Array.from({ length: 500 }, (_, i) => aDocument(`${given.supplier.code}/${directory}/${i}.pdf`)));
    const items = Array.from({ length: 500 }, (_, i) => statement(`S-${i}`, { statement_path: `${directory}/${i}.pdf` }));
    const first = await postCounted(STATEMENTS, given, items);
    expect([first.status, first.body]).toEqual([201, bodyOf(STATEMENTS, given, items)]);
    expect([first.counts.trips, first.counts.rowsWritten]).toEqual([2, 500 + 1]);
    expect(first.bucketCalls).toBeLessThan(20);
    const again = await postCounted(STATEMENTS, given, items);
    expect([again.status, again.counts.trips, again.counts.rowsWritten]).toEqual([201, 2, 0]);
    expect(again.counts.rowsRead).toBeLessThan(500 * 10);
  });
});

describe('400', () => {
  it('reports every error at once, in the order of the body', async () => {
    const given = await anAccountOfASupplier();
    const answer = await post(STATEMENTS, given, [
      {},
      statement('S-1', { bill_period_to_date: '2024-12-31' }),
      statement('S-1', { number: 'other', bill_period_from_date: '2025-02-30' }),
      statement('S-2'),
      statement('S-2', { number: 'other' }),
      statement('S-3', { gross_amount: '10.00', issued_date: '' }),
      statement('x'.repeat(129), { statement_path: 'missing.pdf' }),
      statement('S-4', { statement_path: '' }),
      statement('S-5', { statement_path: 'a//b.pdf' }),
    ]);
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        ['statements.0.bill_period_from_date', 'required'],
        ['statements.0.bill_period_to_date', 'required'],
        ['statements.0.statement_id', 'required'],
        ['statements.1.bill_period_to_date', 'period_ends_before_it_starts'],
        ['statements.2.bill_period_from_date', 'invalid_date'],
        ['statements.4.statement_id', 'statement_already_exists'],
        ['statements.5.gross_amount', 'invalid'],
        ['statements.5.issued_date', 'invalid_date'],
        ['statements.6.statement_id', 'max_length'],
        ['statements.6.statement_path', 'document_not_found'],
        ['statements.7.statement_path', 'invalid_document_path'],
        ['statements.8.statement_path', 'invalid_document_path'],
      ],
    ]);
    expect(await stored(STATEMENTS, given)).toEqual([]);
  });

  it('takes 500 statements at most', async () => {
    const given = await anAccountOfASupplier();
    const answer = await post(
      STATEMENTS,
      given,
      Array.from({ length: 501 }, (_, i) => statement(`${i}`)),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['statements', 'max_length']]]);
  });

  it('reports a stored statement with other content, and stores nothing of the request', async () => {
    const given = await anAccountOfASupplier();
    await post(STATEMENTS, given, [statement('S-1', { gross_amount: 1 })]);
    const before = await stored(STATEMENTS, given);
    const answer = await post(STATEMENTS, given, [statement('S-0'), statement('S-1', { gross_amount: 2 }), statement('S-2')]);
    expect(answer.body).toMatchObject({ code: 'validation_error', detail: expect.any(String) });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['statements.1.statement_id', 'statement_already_exists']]]);
    expect(await stored(STATEMENTS, given)).toEqual(before);
  });

  it('stores nothing when the supplier becomes complete between the validation and the write', async () => {
    const given = await anAccountOfASupplier();
    const answer = await postCounted(STATEMENTS, given, [statement('S-1')], async (trip) => {
      if (trip !== 2) return;
      await env.DB.prepare("UPDATE suppliers SET status = 'Complete', version = version + 1 WHERE id = ?")
        .bind(given.supplier.supplierId)
        .run();
    });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['import_supplier', 'import_supplier_complete']]]);
    expect(await stored(STATEMENTS, given)).toEqual([]);
  });
});

describeRefusals(STATEMENTS, statement('refused'));
