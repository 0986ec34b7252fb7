/** §4.6: whoever sends an account again learns that it is imported, whatever has become of its supplier or its documents. */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { anImportedAccount, aSupplier, call, type GivenAccount, type GivenSupplier } from '../support/given';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';

const CREATE = '/v2/data-import/accounts/';
const BULK = '/v2/data-import/accounts/bulk/';

const become = (given: GivenSupplier, status: string) =>
  env.DB.prepare('UPDATE suppliers SET status = ?, version = version + 1 WHERE id = ?').bind(status, given.supplierId).run();

const MISSING = { notes: [{ document_paths: [{ document_path: 'gone.pdf' }] }] };
const BAD_PATH = { notes: [{ document_paths: [{ document_path: '../up.pdf' }] }] };
const BAD_FIELD = { account_type: 'CASTLE' };

const create = (token: string, body: object) => call('POST', CREATE, { token, body });

/** The one line that bulk answers for it. */
async function inBulk(
  token: string,
  body: object,
  mode = 'create',
): Promise<{ status: string; account_id?: string; errors?: { code: string }[] }> {
  const answer = await exports.default.fetch(`https://import.test${BULK}?mode=${mode}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${token}` },
    body: JSON.stringify(body),
  });
  const text = new TextDecoder().decode(await answer.arrayBuffer());
  return JSON.parse(text.split('\n')[0] ?? '');
}

async function imported(): Promise<{ given: GivenSupplier; account: GivenAccount; body: ReturnType<typeof aSmallAccount> }> {
  const given = await aSupplier();
  const account = await anImportedAccount(given);
  return { given, account, body: aSmallAccount(given.code, account.externalAccountNumber) };
}

const WRONGS = [
  { what: 'its supplier is Paused', status: 'Paused', over: {} },
  { what: 'its supplier is Complete', status: 'Complete', over: {} },
  { what: 'a document is missing', status: 'Ongoing', over: MISSING },
  { what: 'its supplier is Paused and a document is missing', status: 'Paused', over: MISSING },
];

describe('400 already imported', () => {
  it.each(WRONGS)('although $what, in a create and in bulk', async ({ status, over }) => {
    const { given, account, body } = await imported();
    await become(given, status);
    for (const known of [false, true]) {
      expect(await create(given.token, { ...body, ...over }), `known: ${known}`).toMatchObject({
        status: 400,
        body: { non_field_errors: { code: 'account_import_process_already_imported' }, account_id: account.accountNumber },
      });
      expect(await inBulk(given.token, { ...body, ...over })).toEqual({
        line: 1,
        external_account_number: account.externalAccountNumber,
        status: 'ALREADY_IMPORTED',
        account_id: account.accountNumber,
      });
    }
  });

  it.each(WRONGS)('by a sibling of lines that are taken, although $what', async ({ status, over }) => {
    const { given, account, body } = await imported();
    const sibling = await aSupplier({ organisationId: given.organisationId });
    await become(given, status);
    const answer = await exports.default.fetch(`https://import.test${BULK}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
      body: [aSmallAccount(sibling.code, 'a'), { ...body, ...over }, aSmallAccount(sibling.code, 'b')]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    });
    const lines = new TextDecoder()
      .decode(await answer.arrayBuffer())
      .trim()
      .split('\n');
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([
      { status: 'SCHEDULED' },
      { status: 'ALREADY_IMPORTED', account_id: account.accountNumber },
      { status: 'SCHEDULED' },
      { done: true },
    ]);
  });
});

describe('400 import process', () => {
  it.each([
    { what: 'a field is wrong, too', status: 'Paused', over: BAD_FIELD },
    { what: 'a document path is not allowed, too', status: 'Paused', over: BAD_PATH },
    { what: 'a document path is not allowed', status: 'Ongoing', over: BAD_PATH },
    { what: 'a field is wrong', status: 'Ongoing', over: BAD_FIELD },
  ])('where $what, in a create and in bulk', async ({ status, over }) => {
    const { given, account, body } = await imported();
    await become(given, status);
    const answer = await create(given.token, { ...body, ...over });
    expect(answer).toMatchObject({ status: 400, body: { code: 'import_process_failed_validation', domain: 'import_process' } });
    expect(await inBulk(given.token, { ...body, ...over })).toMatchObject({ status: 'INVALID' });
    expect(JSON.stringify(answer.body)).not.toContain(account.accountNumber);
  });

  it.each(['PENDING', 'IN_PROGRESS', 'ERRORED'])('where the account is %s only, and nothing of it changes', async (state) => {
    const given = await aSupplier();
    const body = { ...aSmallAccount(given.code, 'a'), task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } };
    expect((await create(given.token, body)).status).toBe(201);
    const status = ['PENDING', 'IN_PROGRESS', '', 'ERRORED'].indexOf(state);
    await env.DB.prepare('UPDATE import_processes SET status = ? WHERE supplier_id = ?').bind(status, given.supplierId).run();
    const rows = () => readRows('SELECT * FROM import_processes WHERE supplier_id = ?', given.supplierId);
    const before = await rows();
    await become(given, 'Paused');
    expect(await create(given.token, body)).toMatchObject({ status: 400, body: { code: 'import_process_failed_validation' } });
    expect(await inBulk(given.token, body)).toMatchObject({ status: 'INVALID', errors: [{ code: 'import_supplier_paused' }] });
    expect(await rows()).toEqual(before);
  });

  it('for another organisation, whatever the state of the supplier and of its own documents', async () => {
    const [{ given, account, body }, stranger] = [await imported(), await aSupplier()];
    for (const status of ['Ongoing', 'Paused', 'Complete']) {
      await become(given, status);
      for (const over of [{}, MISSING]) {
        const answers = [await create(stranger.token, { ...body, ...over }), await inBulk(stranger.token, { ...body, ...over })];
        expect(answers).toMatchObject([
          { status: 400, body: { code: 'import_process_failed_validation' } },
          { status: 'INVALID', errors: expect.arrayContaining([expect.objectContaining({ code: 'does_not_exist' })]) },
        ]);
        expect(JSON.stringify(answers)).not.toContain(account.accountNumber);
      }
    }
  });

  it('says that the supplier’s status is the reason', async () => {
    const given = await aSupplier();
    const body = aSmallAccount(given.code, 'a');
    for (const [status, detail] of [
      ['Paused', 'Migrations of this import supplier are paused.'],
      ['Complete', 'Migrations of this import supplier are complete.'],
    ] as const) {
      await become(given, status);
      expect((await create(given.token, body)).body).toEqual({
        code: 'import_process_failed_validation',
        detail,
        domain: 'import_process',
      });
      const both = (await create(given.token, { ...body, ...BAD_FIELD })).body;
      expect(both).toMatchObject({
        code: 'import_process_failed_validation',
        detail: expect.stringMatching(`^${detail} .*validate endpoint`),
      });
    }
  });
});

describe('validate', () => {
  it('never looks at a process: what is wrong is reported, and nothing else', async () => {
    const { given, body } = await imported();
    expect(await call('POST', `${CREATE}validate/`, { token: given.token, body })).toMatchObject({ status: 200, body: {} });
    expect(await inBulk(given.token, body, 'validate')).toMatchObject({ status: 'VALID' });
    await become(given, 'Paused');
    expect(await call('POST', `${CREATE}validate/`, { token: given.token, body })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'import_supplier_paused' }] },
    });
    expect(await inBulk(given.token, { ...body, ...MISSING }, 'validate')).toMatchObject({
      status: 'INVALID',
      errors: [{ code: 'import_supplier_paused' }, { code: 'document_not_found' }],
    });
  });
});
