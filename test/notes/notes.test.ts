/** §4.1 `POST /v1/data-import/notes/create/` */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  anAccountOfASupplier,
  describeRefusals,
  type Endpoint,
  errorsOf,
  type Given,
  post,
  postCounted,
  stored,
} from '../support/additions';
import { aDocument, anImportedAccount } from '../support/given';
import { readRows } from '../support/tables';

const NOTES: Endpoint = { path: '/v1/data-import/notes/create/', list: 'notes', table: 'notes' };
const SUCCESS = 'NOTE_CREATION_SUCCESS';
const EXISTS = 'NOTE_ALREADY_EXISTS';
const JANUARY = '2026-01-01T00:00:00Z';
const JANUARY_OUT = '2026-01-01T00:00:00.000Z';

const bodies = async ({ account }: Given) =>
  (await readRows('SELECT body FROM notes WHERE account_id = ? ORDER BY created_at, body', account.id)).map(({ body }) => body);

const statuses = (body: unknown): unknown => (Array.isArray(body) ? body.map(({ status }: { status: string }) => status) : body);

describe('201', () => {
  it('creates the pinned note of the specification, with the moment it is unpinned', async () => {
    const given = await anAccountOfASupplier();
    const note = { body: 'Customer prefers e-mail.', created_at: JANUARY, is_pinned: true, unpin_at: '2026-06-01T12:30:00+01:00' };
    const { status, body } = await post(NOTES, given, [note]);
    expect(status).toBe(201);
    expect(body).toEqual([{ created_at: JANUARY_OUT, body: note.body, status: SUCCESS }]);
    expect(await stored(NOTES, given)).toMatchObject([
      {
        body: note.body,
        created_at: Date.parse(JANUARY),
        is_pinned: 1,
        unpin_at: Date.parse('2026-06-01T11:30:00Z'),
        documents: null,
        source: 1,
      },
    ]);
  });

  it('keeps documents as key beside path, with an empty body in the answer', async () => {
    const root = `root-${crypto.randomUUID()}`;
    const given = await anAccountOfASupplier({ configuration: { documents_root: `/${root}/` } });
    await aDocument(`${root}/letters/a.pdf`);
    const { status, body } = await post(NOTES, given, [
      { document_paths: [{ document_path: '/letters/a.pdf' }], body: ' ', created_at: JANUARY },
    ]);
    expect([status, body]).toEqual([201, [{ created_at: JANUARY_OUT, body: '', status: SUCCESS }]]);
    const [row] = await stored(NOTES, given);
    expect(row).toMatchObject({
      body: null,
      documents: JSON.stringify([{ document_path: '/letters/a.pdf', key: `${root}/letters/a.pdf` }]),
    });
    const again = await post(NOTES, given, [{ document_paths: [{ document_path: 'letters/a.pdf' }] }]);
    expect(again.body).toEqual([{ created_at: JANUARY_OUT, body: '', status: EXISTS }]);
  });

  it('gives a note without created_at the moment of the request, the same as it stores', async () => {
    const given = await anAccountOfASupplier();
    const before = Date.now();
    const { body } = await post(NOTES, given, [{ body: 'now' }]);
    const [row] = await stored(NOTES, given);
    expect(body).toEqual([{ created_at: new Date(Number(row?.['created_at'])).toISOString(), body: 'now', status: SUCCESS }]);
    expect(Number(row?.['created_at'])).toBeGreaterThanOrEqual(before);
  });

  it('knows a note again by its trimmed body and, when supplied, its instant', async () => {
    const given = await anAccountOfASupplier();
    await post(NOTES, given, [{ body: 'A', created_at: JANUARY }]);
    const { status, body } = await post(NOTES, given, [
      { body: ' A\n' },
      { body: 'A', created_at: '2026-01-01T01:00:00+01:00' },
      { body: 'A', created_at: '2026-01-02T00:00:00Z' },
      { body: 'a' },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject([
      { created_at: JANUARY_OUT, body: ' A\n', status: EXISTS },
      { created_at: JANUARY_OUT, body: 'A', status: EXISTS },
      { created_at: '2026-01-02T00:00:00.000Z', body: 'A', status: SUCCESS },
      { body: 'a', status: SUCCESS },
    ]);
    expect(await bodies(given)).toEqual(['A', 'A', 'a']);
  });

  it('answers copies inside one request in its order', async () => {
    const given = await anAccountOfASupplier();
    const { body } = await post(NOTES, given, [
      { body: 'B', created_at: JANUARY },
      { body: 'C' },
      { body: 'B' },
      { body: 'C ' },
      { body: 'C', created_at: JANUARY },
      { body: 'B', created_at: JANUARY },
    ]);
    expect(statuses(body)).toEqual([SUCCESS, SUCCESS, EXISTS, EXISTS, SUCCESS, EXISTS]);
    expect(body).toMatchObject([{}, {}, { created_at: JANUARY_OUT, body: 'B' }, { body: 'C ' }, {}, {}]);
    expect(await bodies(given)).toEqual(['B', 'C', 'C']);
  });

  it('answers an empty body for notes of documents only, new and known ones, and for a body that says nothing', async () => {
    const given = await anAccountOfASupplier();
    const path = `${crypto.randomUUID()}.pdf`;
    await aDocument(`${given.supplier.code}/${path}`);
    const document_paths = [{ document_path: path }];
    const { body } = await post(NOTES, given, [
      { document_paths },
      { document_paths, body: '' },
      { document_paths, body: '\u200b\ufeff ' },
    ]);
    expect(body).toMatchObject([
      { body: '', status: SUCCESS },
      { body: '', status: EXISTS },
      { body: '', status: EXISTS },
    ]);
  });

  it('knows a note that the service wrote itself by its body, whatever its key', async () => {
    const given = await anAccountOfASupplier({}, { periodFrom: '2026-01-01', cycleMonths: 12_000 });
    const transaction = (id: string) => ({ transaction_id: id, transaction_date: '2025-12-31', amount: 1, type: 'PAYMENT' });
    const TRANSACTIONS: Endpoint = { path: '/v1/data-import/transactions/create/', list: 'transactions', table: 'transactions' };
    await post(TRANSACTIONS, given, [transaction('a')]);
    await post(TRANSACTIONS, given, [transaction('b'), transaction('c')]);
    const own = await readRows('SELECT body, created_at FROM notes WHERE account_id = ? ORDER BY created_at', given.account.id);
    expect(own).toHaveLength(2);
    for (const row of own) {
      const [body, created_at] = [String(row['body']), new Date(Number(row['created_at'])).toISOString()];
      const again = await post(NOTES, given, [{ body }, { body: ` ${body}\n` }, { body, created_at }]);
      expect(again.body).toEqual([
        { created_at, body, status: EXISTS },
        { created_at, body: ` ${body}\n`, status: EXISTS },
        { created_at, body, status: EXISTS },
      ]);
    }
    expect(await stored(NOTES, given)).toHaveLength(2);
    const [first] = own;
    const [body, title] = [String(first?.['body']), String(first?.['body']).split('\n')[0]];
    const others = await post(NOTES, given, [{ body, created_at: JANUARY }, { body: title }, { body: `${body} and more` }]);
    expect(statuses(others.body)).toEqual([SUCCESS, SUCCESS, SUCCESS]);
    expect(await stored(NOTES, given)).toHaveLength(5);
  });

  it('takes what is not given as absent and ignores what is not documented', async () => {
    const given = await anAccountOfASupplier();
    const { status, body } = await post(NOTES, given, [
      { body: 'D', document_paths: [], created_at: null, is_pinned: null, unpin_at: null, author: 'x' },
      { body: 'E', unpin_at: '2020-01-01T00:00:00Z', is_pinned: true },
    ]);
    expect([status, statuses(body)]).toEqual([201, [SUCCESS, SUCCESS]]);
    expect(JSON.stringify(body)).not.toContain('author');
    expect(await readRows('SELECT is_pinned, unpin_at FROM notes WHERE account_id = ? ORDER BY body', given.account.id)).toEqual([
      { is_pinned: 0, unpin_at: null },
      { is_pinned: 1, unpin_at: Date.parse('2020-01-01T00:00:00Z') },
    ]);
  });

  it('keeps the notes of one account from another of the same supplier', async () => {
    const given = await anAccountOfASupplier();
    const other = { supplier: given.supplier, account: await anImportedAccount(given.supplier) };
    await post(NOTES, given, [{ body: 'F' }]);
    expect(statuses((await post(NOTES, other, [{ body: 'F' }])).body)).toEqual([SUCCESS]);
  });

  it('leaves exactly one of each note after 20 parallel identical posts', async () => {
    const given = await anAccountOfASupplier();
    const notes = [{ body: 'G' }, { body: 'H', created_at: JANUARY }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(NOTES, given, notes)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(answers.flatMap(({ body }) => statuses(body)).filter((status) => status === SUCCESS)).toHaveLength(2);
    expect(await bodies(given)).toEqual(['H', 'G']);
    const moments = new Set(
      answers.map(({ body }) => JSON.stringify(Array.isArray(body) ? body.map(({ created_at }) => created_at) : body)),
    );
    expect(moments.size).toBe(1);
  });

  it('takes 500 notes with 500 documents in two trips to D1 and few calls to R2', async () => {
    const given = await anAccountOfASupplier();
    const directory = crypto.randomUUID();
    await Promise.all(Array.from({ length: 500 }, (_, i) => aDocument(`${given.supplier.code}/${directory}/${i}.pdf`)));
    const notes = Array.from({ length: 500 }, (_, i) => ({
      body: `note ${i}`,
      document_paths: [{ document_path: `${directory}/${i}.pdf` }],
    }));
    const first = await postCounted(NOTES, given, notes);
    expect([first.status, statuses(first.body)]).toEqual([201, Array(500).fill(SUCCESS)]);
    // And one event.
    expect([first.counts.trips, first.counts.rowsWritten]).toEqual([2, 500 + 1]);
    const again = await postCounted(NOTES, given, notes);
    expect([again.status, statuses(again.body)]).toEqual([201, Array(500).fill(EXISTS)]);
    expect([again.counts.trips, again.counts.rowsWritten]).toEqual([2, 0]);
    expect(again.counts.rowsRead).toBeLessThan(500 * 10);
    expect(first.bucketCalls).toBeLessThan(20);
  });
});

describe('400', () => {
  it('reports every error at once, in the order of the body', async () => {
    const given = await anAccountOfASupplier();
    await aDocument(`${given.supplier.code}/letter.pdf`);
    const answer = await post(NOTES, given, [
      {},
      { body: ' \n', document_paths: [] },
      { unpin_at: '2025-12-31T23:59:59Z', created_at: JANUARY, body: 'x' },
      { body: 5 },
      { created_at: 'yesterday', is_pinned: 'yes', body: 'a\u0000b' },
      { document_paths: [{ document_path: 'missing.pdf' }, { document_path: '../up.pdf' }, {}, { document_path: '' }] },
      { document_paths: [{ document_path: 'letter.pdf' }], unpin_at: JANUARY, created_at: JANUARY },
      'text',
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_error', detail: expect.any(String) });
    expect(errorsOf(answer)).toEqual([
      ['notes.0.non_field_errors', 'body_or_document_paths_required'],
      ['notes.1.non_field_errors', 'body_or_document_paths_required'],
      ['notes.2.unpin_at', 'unpin_at_not_after_created_at'],
      ['notes.3.body', 'invalid'],
      ['notes.4.created_at', 'invalid_datetime'],
      ['notes.4.is_pinned', 'invalid'],
      ['notes.4.body', 'invalid'],
      ['notes.5.document_paths.0.document_path', 'document_not_found'],
      ['notes.5.document_paths.1.document_path', 'invalid_document_path'],
      ['notes.5.document_paths.2.document_path', 'required'],
      ['notes.5.document_paths.3.document_path', 'invalid_document_path'],
      ['notes.6.unpin_at', 'unpin_at_not_after_created_at'],
      ['notes.7', 'invalid'],
    ]);
    expect(await stored(NOTES, given)).toEqual([]);
  });

  it('stores nothing when one note of many is wrong', async () => {
    const given = await anAccountOfASupplier();
    const answer = await post(NOTES, given, [{ body: 'right' }, {}]);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['notes.1.non_field_errors', 'body_or_document_paths_required']]]);
    expect(await stored(NOTES, given)).toEqual([]);
  });

  it('takes 500 notes and 500 documents at most', async () => {
    const given = await anAccountOfASupplier();
    const many = await post(
      NOTES,
      given,
      Array.from({ length: 501 }, () => ({ body: 'x' })),
    );
    expect([many.status, errorsOf(many)]).toEqual([400, [['notes', 'max_length']]]);
    const paths = Array.from({ length: 251 }, (_, i) => ({ document_path: `${i}.pdf` }));
    const documents = await post(NOTES, given, [{ document_paths: paths }, { document_paths: paths }]);
    expect([documents.status, errorsOf(documents)]).toEqual([400, [['notes.1.document_paths.249.document_path', 'max_length']]]);
    expect(await stored(NOTES, given)).toEqual([]);
  });

  it('stores nothing when the supplier is paused between the validation and the write', async () => {
    const given = await anAccountOfASupplier();
    const answer = await postCounted(NOTES, given, [{ body: 'raced' }], async (trip) => {
      if (trip !== 2) return;
      await env.DB.prepare("UPDATE suppliers SET status = 'Paused', version = version + 1 WHERE id = ?")
        .bind(given.supplier.supplierId)
        .run();
    });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['import_supplier', 'import_supplier_paused']]]);
    expect(await stored(NOTES, given)).toEqual([]);
  });
});

describeRefusals(NOTES, { body: 'a note' });
