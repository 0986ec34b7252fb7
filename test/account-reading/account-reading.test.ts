/** §10: imported accounts whole, for the operator: masked until revealed, before and after retention. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { anImportedAccount, aSupplier, call, type GivenSupplier, send } from '../support/given';
import { auditOf, OPERATOR, operate } from '../support/operator';
import { readRow, readRows } from '../support/tables';
import { aWholeAccount, type Imported, keysUnder } from '../support/whole-accounts';

interface Whole {
  readonly account: Record<string, unknown>;
  readonly customers: readonly Record<string, unknown>[];
  readonly notes: readonly Record<string, unknown>[];
  readonly transactions: readonly {
    readonly source: string;
    readonly imported: Record<string, unknown>;
    readonly posted: Record<string, unknown>;
  }[];
  readonly statements: readonly Record<string, unknown>[];
  readonly payment_instructions: readonly Record<string, unknown>[];
  readonly history: readonly Record<string, unknown>[];
}
const wholeIn = ({ body }: { readonly body: unknown }) => body as Whole;

let supplier: GivenSupplier;
let one: Imported;
const read = () => operate('GET', `accounts/${one.number}/`);
const reveal = async () => wholeIn(await operate('POST', `accounts/${one.number}/reveal/`));

beforeAll(async () => {
  supplier = await aSupplier();
  one = await aWholeAccount(supplier);
});

describe('an account is read whole', () => {
  it('by its platform number, its identifier and its pair alike', async () => {
    const byNumber = await read();
    expect(byNumber).toMatchObject({
      status: 200,
      body: {
        platform_account_number: one.number,
        platform_identifier: one.identifier,
        import_supplier: supplier.code,
        external_account_number: one.external,
        import_process: { status: 'PROCESSED', attempts: 1 },
      },
    });
    const { history: _, ...expected } = byNumber.body as Whole;
    expect(await operate('GET', `accounts/${one.identifier}/`)).toMatchObject({ status: 200, body: expected });
    const pair = `suppliers/${supplier.code}/accounts/${encodeURIComponent(one.external)}/`;
    expect(await operate('GET', pair)).toMatchObject({ status: 200, body: expected });
  });

  it('revealed, equals what was sent, item by item', async () => {
    const whole = await reveal();
    const {
      customers = [],
      notes,
      statements,
      payment_instructions,
      historical_statement_transactions: historical,
      current_statement_transactions: current,
      ...fields
    } = one.body;
    expect(whole.account).toEqual(fields);
    expect(whole.customers).toMatchObject(
      customers.map(({ alternative_phone_numbers: _, ...customer }: Record<string, unknown>) => customer),
    );
    expect(whole.notes.filter(({ source }) => source === 'PAYLOAD')).toHaveLength(notes.length);
    expect(whole.notes).toContainEqual(
      expect.objectContaining({
        body: 'With a letter.',
        asked_by: 'Bob',
        documents: [{ document_path: "letters/Zoë's letter.pdf", key: keysUnder(supplier).note, scanned_by: 'Eve' }],
      }),
    );
    const imported = (source: string) => whole.transactions.filter((row) => row.source === source).map((row) => row.imported);
    const byId = (items: readonly object[]) => items.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(byId(imported('HISTORICAL'))).toEqual(byId(historical));
    expect(byId(imported('CURRENT'))).toEqual(byId(current));
    expect(whole.statements.map(({ statement }) => statement)).toEqual(
      expect.arrayContaining([...statements, expect.objectContaining({ statement_id: 'LATER-S' })]),
    );
    expect(whole.payment_instructions.filter(({ status }) => status === 'IMPORTED')).toHaveLength(payment_instructions.length);
  });

  it('with phone numbers in E.164 beside the original', async () => {
    const { customers } = await reveal();
    const numbered = customers.filter(({ mobile }) => mobile !== undefined);
    expect(numbered.length).toBeGreaterThan(0);
    for (const { mobile_e164 } of numbered) expect(mobile_e164).toMatch(/^\+\d+$/);
  });

  it('with transactions as they were imported and as they are posted', async () => {
    const { transactions } = await reveal();
    const later = transactions.find(({ imported }) => imported['transaction_id'] === 'LATER-1');
    expect(later).toMatchObject({
      source: 'POSTED',
      imported: { transaction_date: '2020-01-01', amount: 12.5, desk: 'North' },
      posted: { amount: '12.50', type: 'PAYMENT', note: expect.stringContaining('2020-01-01') },
    });
    expect(later?.posted['transaction_date']).not.toBe('2020-01-01');
  });

  it('with pinned notes first, as of now, and the newest first among them', async () => {
    const { notes } = await reveal();
    const pins = notes.map(({ is_pinned }) => is_pinned);
    expect(pins).toEqual(pins.toSorted((a, b) => Number(b) - Number(a)));
    expect(pins).toContain(true);
    expect(pins).toContain(false);
    const results = await readRows<{ id: number }>("SELECT account_id AS id FROM notes WHERE body = 'Posted later.'");
    expect(results.length).toBeGreaterThan(0);
    const other = await aSupplier();
    const account = await aWholeAccount(other);
    await env.DB.prepare(`UPDATE notes SET unpin_at = ? WHERE body = 'Posted later.' AND account_id = (
      SELECT id FROM import_processes WHERE supplier_id = ?)`)
      .bind(Date.now() - 1, other.supplierId)
      .run();
    const after = wholeIn(await operate('POST', `accounts/${account.number}/reveal/`)).notes;
    expect(after.find(({ body }) => body === 'Posted later.')).toMatchObject({ is_pinned: false });
  });

  it('alike before and after retention', async () => {
    const account = await aWholeAccount(await aSupplier());
    const path = `accounts/${account.number}/reveal/`;
    const { history: _, ...before } = wholeIn(await operate('POST', path));
    const { accountDocument } = await import('../../src/accounts/payload/document');
    const row = await readRow<{
      id: number;
      body: string;
      customers: number;
      notes: number;
      transactions: number;
      paymentInstructions: number;
    }>(
      `SELECT y.id, y.body, (SELECT count(*) FROM customers c WHERE c.account_id = y.id) AS customers,
        (SELECT count(*) FROM notes n WHERE n.account_id = y.id AND n.source = 0) AS notes,
        (SELECT count(*) FROM transactions t WHERE t.account_id = y.id AND t.source < 2) AS transactions,
        (SELECT count(*) FROM payment_instructions i WHERE i.account_id = y.id AND i.position > 0) AS paymentInstructions
       FROM payloads y JOIN import_processes p ON p.id = y.id WHERE p.supplier_id = ?`,
      account.supplier.supplierId,
    );
    if (!row) throw new Error('no payload');
    const reduced = accountDocument(row.body, { ...row, statements: account.body.statements.length, haveAllFields: true }) ?? '';
    expect(reduced.length).toBeLessThan(row.body.length / 2);
    await env.DB.prepare('UPDATE payloads SET body = ?, reduced_at = 1 WHERE id = ?').bind(reduced, row.id).run();
    const { history: __, ...after } = wholeIn(await operate('POST', path));
    expect(after).toEqual(before);
  });
});

describe('masked until revealed', () => {
  it('shows numbers, dates and choices, and nothing of a person or of where a document lies', async () => {
    const text = JSON.stringify((await read()).body);
    for (const secret of [
      'Παπαδοπούλου',
      'bakery.example.com',
      'Prefers to be called',
      'Posted later',
      'sandbox-card',
      'letters/',
      '佐藤',
      'Mill Lane',
    ])
      expect(text).not.toContain(secret);
    expect(JSON.stringify(await reveal())).toContain('Prefers to be called');
    expect(text).toContain('"amount":"12.50"');
    expect(text).toContain('"statement_id":"LATER-S"');
  });

  it('a reveal is audited, and reported in the history of the account; a look at no account is neither', async () => {
    const subject = `account ${one.number}`;
    const before = await auditOf(subject);
    await reveal();
    const after = await auditOf(subject);
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ actor: 'operator', action: 'account.revealed', subject });
    expect(wholeIn(await read()).history[0]).toMatchObject({ actor: 'operator', action: 'account.revealed' });
    expect(await operate('POST', 'accounts/A-0BADCAFE/reveal/')).toMatchObject({ status: 404 });
    expect(await auditOf('account A-0BADCAFE')).toEqual([]);
  });

  it('says who did what to its import', async () => {
    const process = `suppliers/${supplier.code}/import-processes/${encodeURIComponent(one.external)}/`;
    expect(await operate('POST', `${process}reveal/`)).toMatchObject({ status: 200 });
    expect(wholeIn(await read()).history).toContainEqual(expect.objectContaining({ actor: 'operator', action: 'payload.revealed' }));
  });
});

describe('no account', () => {
  it.each(['A-0BADCAFE', '4294967296', 'toString', 'A-123'])('%s is 404', async (number) => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', 'reveal/'],
      ['GET', 'documents/?key=a'],
    ] as const)
      expect(await operate(method, `accounts/${number}/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await operate('POST', `accounts/${number}/payment-instructions/CARD/end/`, { reason: 'x' })).toMatchObject({ status: 404 });
  });

  it('what is staged only is none', async () => {
    expect(await operate('GET', `suppliers/${supplier.code}/accounts/none/`)).toMatchObject({ status: 404 });
    expect(await operate('GET', `suppliers/none/accounts/${encodeURIComponent(one.external)}/`)).toMatchObject({ status: 404 });
  });

  it('the number of an account that has another one finds nothing', async () => {
    const other = await anImportedAccount(supplier);
    expect(await operate('GET', `accounts/${other.accountNumber}/`)).toMatchObject({ status: 404 });
  });

  it('is read by nobody without the credential of the operator', async () => {
    for (const headers of [{}, { Authorization: `Token ${supplier.token}` }])
      expect(await call('GET', `/operator/v1/accounts/${one.number}/`, { headers })).toMatchObject({ status: 401 });
  });
});

const open = (number: string, key: string) =>
  send('GET', `/operator/v1/accounts/${number}/documents/?key=${encodeURIComponent(key)}`, { headers: OPERATOR });

describe('GET accounts/{number}/documents/', () => {
  it('opens what a note or a statement names, sandboxed, under its name, and audited before', async () => {
    const keys = keysUnder(supplier);
    await env.DOCUMENTS.put(keys.statement, '<script>alert(1)</script>', { httpMetadata: { contentType: 'text/html' } });
    await env.DOCUMENTS.put(keys.posted, 'png', { httpMetadata: { contentType: 'image/png' } });
    const before = (await auditOf(`account ${one.number}`)).length;
    const html = await open(one.number, keys.statement);
    expect([html.status, html.text]).toEqual([200, '<script>alert(1)</script>']);
    expect(html.headers.get('Content-Disposition')).toBe(`attachment; filename="2026-02.html"; filename*=UTF-8''2026-02.html`);
    expect(html.headers.get('Content-Security-Policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    expect(html.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(html.headers.get('Cache-Control')).toBe('no-store');
    const image = await open(one.number, keys.posted);
    expect([image.text, image.headers.get('Content-Type')]).toEqual(['png', 'image/png']);
    expect(image.headers.get('Content-Disposition')).toMatch(/^inline; /);
    const letter = await open(one.number, keys.note);
    expect(letter.text).toBe('%PDF-1.4');
    expect(letter.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(letter.headers.get('Content-Disposition')).toBe(
      `attachment; filename="Zo_ s letter.pdf"; filename*=UTF-8''Zo%C3%AB%27s%20letter.pdf`.replace('Zo_ s', 'Zo__s'),
    );
    const audited = (await auditOf(`account ${one.number}`)).slice(before);
    expect(audited.map(({ action }) => action)).toEqual(['document.opened', 'document.opened', 'document.opened']);
    expect(JSON.stringify(audited)).not.toContain('letter');
  });

  it("opens nothing that the account does not name: another account's, one that is not there, none", async () => {
    const [other, key] = [await aWholeAccount(await aSupplier()), `${supplier.code}/letters/unnamed.pdf`];
    await env.DOCUMENTS.put(key, 'x');
    const before = (await auditOf(`account ${one.number}`)).length;
    for (const wanted of [keysUnder(other.supplier).note, key, `${supplier.code}/letters`, '..', 'letters/photo.png'])
      expect((await open(one.number, wanted)).status).toBe(404);
    expect((await open(one.number, '')).status).toBe(400);
    await env.DOCUMENTS.delete(keysUnder(other.supplier).posted);
    expect((await open(other.number, keysUnder(other.supplier).posted)).status).toBe(404);
    expect(await auditOf(`account ${one.number}`)).toHaveLength(before);
    expect(await auditOf(`account ${other.number}`)).toEqual([]);
  });
});

describe('POST accounts/{number}/payment-instructions/{type}/end/', () => {
  const end = (account: Imported, type = 'CARD', body: unknown = { reason: 'The customer asked.' }) =>
    operate('POST', `accounts/${account.number}/payment-instructions/${type}/end/`, body);
  const post = ({ supplier: { code, token }, external }: Imported, reference: string) =>
    call('POST', '/v1/data-import/payment-instruction/create/', {
      token,
      body: { import_supplier: code, external_account_number: external, vendor: 'SANDBOX', reference, type: 'CARD' },
    });
  const stored = async ({ supplier: { supplierId } }: Imported) =>
    await readRows(
      `SELECT i.position, i.reference, i.ended_at IS NOT NULL AS ended FROM payment_instructions i JOIN import_processes p ON p.id = i.account_id
         WHERE p.supplier_id = ? AND i.type = 'CARD' AND i.position <= 0 ORDER BY i.position DESC`,
      supplierId,
    );

  it('makes the active one history, audited with the reason, and another may be posted and ended', async () => {
    const account = await aWholeAccount(await aSupplier());
    const answer = await end(account);
    expect(answer).toMatchObject({ status: 200 });
    expect(wholeIn(answer).payment_instructions.filter(({ status }) => status !== 'IMPORTED')).toMatchObject([
      { type: 'CARD', status: 'ENDED', vendor: 'SANDBOX', ended_at: expect.any(String) },
    ]);
    expect(await auditOf(`account ${account.number}`)).toMatchObject([
      { action: 'payment_instruction.ended', after: { type: 'CARD', reason: 'The customer asked.' } },
    ]);
    expect(await end(account)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await post(account, 'sandbox-card')).toMatchObject({ status: 201 });
    expect(await end(account)).toMatchObject({ status: 200 });
    expect(await stored(account)).toEqual([
      { position: -1, reference: 'sandbox-card', ended: 1 },
      { position: -2, reference: 'sandbox-card', ended: 1 },
    ]);
    expect(await auditOf(`account ${account.number}`)).toHaveLength(2);
  });

  it.each([
    ['no reason', {}, 'required'],
    ['an empty one', { reason: '' }, 'blank'],
    ['too long a one', { reason: 'x'.repeat(1_001) }, 'max_length'],
  ])('%s is 400, and nothing ends', async (_, body, code) => {
    expect(await end(one, 'CARD', body)).toMatchObject({ status: 400, body: { errors: [{ attr: 'reason', code }] } });
    expect(await stored(one)).toMatchObject([{ position: 0, ended: 0 }]);
  });

  it('a type without an active one is 409', async () => {
    for (const type of ['DIRECT_DEBIT', 'toString']) expect(await end(one, type)).toMatchObject({ status: 409 });
  });

  it('of many at once one ends it', async () => {
    const account = await aWholeAccount(await aSupplier());
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => end(account)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await stored(account)).toHaveLength(1);
    expect(await auditOf(`account ${account.number}`)).toHaveLength(1);
  });
});
