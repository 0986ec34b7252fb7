/** A row of a supplier that cannot be read is a failure of ours that concerns this supplier alone (§3.1). */

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/suppliers';
import { anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { auditOf, operate } from '../support/operator';
import { readRow, readRows } from '../support/tables';
import { textOf } from '../support/text';

const spoil = (supplier: GivenSupplier, column: 'configuration' | 'status', value: string) =>
  env.DB.prepare(`UPDATE suppliers SET ${column} = ? WHERE id = ?`).bind(value, supplier.supplierId).run();

type How = readonly [column: 'configuration' | 'status', value: string];
const PARTLY = '{"default_country":"GB","time_zone":7,"colour":"red"}';
const MALFORMED: How = ['configuration', '{'];
const PART: How = ['configuration', PARTLY];
const STATUS: How = ['status', 'Archived'];

/** Two suppliers of one organisation, the first of which cannot be read. */
async function aBrokenAndAGood(how: How = MALFORMED) {
  const broken = await aSupplier();
  const good = await aSupplier({ organisationId: broken.organisationId });
  await spoil(broken, ...how);
  return { broken, good };
}

const codesOf = ({ body }: { readonly body: unknown }) =>
  (body as { errors: { attr: string; code: string }[] }).errors.map(({ attr, code }) => `${attr} ${code}`);

describe('the operator interface', () => {
  it.each([MALFORMED, PART, STATUS])('lists and shows the others, and this one as far as it can be read: %s %s', async (column, value) => {
    const { broken, good } = await aBrokenAndAGood([column, value]);
    const list = await operate('GET', 'suppliers/');
    const shown = { status: column === 'status' ? null : 'Ongoing', configuration: column === 'status' ? { time_zone: 'UTC' } : null };
    expect(list).toMatchObject({
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({ code: good.code, status: 'Ongoing' }),
        expect.objectContaining({ code: broken.code, status: shown.status }),
      ]),
    });
    expect(await operate('GET', `suppliers/${broken.code}/`)).toMatchObject({ status: 200, body: { code: broken.code, ...shown } });
    expect((await operate('GET', `suppliers/${broken.code}/import-processes/`)).status).toBe(200);
    const made = await operate('POST', 'suppliers/', {
      organisation_id: broken.organisationId,
      code: `U-${crypto.randomUUID().slice(0, 8)}`,
      name: 'U',
      configuration: { default_country: 'GB' },
    });
    expect(made.status).toBe(201);
  });

  it('pauses it, and mends it by the settings that cannot be read', async () => {
    const { broken } = await aBrokenAndAGood(PART);
    const patch = (body: unknown) => operate('PATCH', `suppliers/${broken.code}/`, body);
    expect(await patch({ status: 'Paused' })).toMatchObject({ status: 200, body: { status: 'Paused', configuration: null } });
    const refused = await patch({ configuration: { payload_retention_days: 5 } });
    expect([refused.status, codesOf(refused)]).toEqual([400, ['configuration.time_zone required']]);
    const mended = await patch({ configuration: { payload_retention_days: 5, time_zone: 'Australia/Sydney' } });
    expect(mended).toMatchObject({
      status: 200,
      body: {
        configuration: { default_country: 'GB', documents_root: broken.code, time_zone: 'Australia/Sydney', payload_retention_days: 5 },
      },
    });
    const row = await readRow<{ configuration: string }>('SELECT configuration FROM suppliers WHERE id = ?', broken.supplierId);
    expect(JSON.parse(row?.configuration ?? '')).toMatchObject({ colour: 'red' });
    expect((await auditOf(`supplier ${broken.code}`)).map(({ action }) => action)).toEqual(['supplier.changed', 'supplier.changed']);
  });

  it('asks for every setting where nothing can be read, and for a status and a reason where that cannot', async () => {
    const [{ broken }, { broken: stateless }] = [await aBrokenAndAGood(), await aBrokenAndAGood(STATUS)];
    const refused = await operate('PATCH', `suppliers/${broken.code}/`, { configuration: { default_country: 'GB' } });
    const missing = SETTINGS.filter((setting) => setting !== 'default_country');
    expect(codesOf(refused).toSorted()).toEqual(missing.map((setting) => `configuration.${setting} required`).toSorted());
    const unstated = await operate('PATCH', `suppliers/${stateless.code}/`, { configuration: { vendors: [] } });
    expect(codesOf(unstated)).toEqual(['status required']);
    expect(codesOf(await operate('PATCH', `suppliers/${stateless.code}/`, { status: 'Ongoing' }))).toEqual(['reason required']);
    expect(await operate('PATCH', `suppliers/${stateless.code}/`, { status: 'Ongoing', reason: 'it was' })).toMatchObject({
      status: 200,
      body: { status: 'Ongoing' },
    });
  });
});

describe('importers', () => {
  it('of this supplier are answered with a failure of ours, others nothing', async () => {
    const { broken, good } = await aBrokenAndAGood();
    const validate = (import_supplier: string) =>
      call('POST', '/v2/data-import/accounts/validate/', { token: good.token, body: { import_supplier, external_account_number: 'a' } });
    expect(await validate(broken.code)).toMatchObject({ status: 500, body: { code: 'error' } });
    expect((await validate(good.code)).status).toBe(200);
    const account = await anImportedAccount(broken);
    const path = `/v2/data-import/accounts/${broken.code}/${account.externalAccountNumber}/`;
    expect((await call('GET', path, { token: good.token })).status).toBe(200);
  });

  it.each(['create', 'validate'])(
    'may name it beside others in one bulk request: its lines FAILED, the others as ever (%s)',
    async (mode) => {
      const { broken, good } = await aBrokenAndAGood();
      const lines = [good, broken, good].map(({ code }, i) => JSON.stringify({ import_supplier: code, external_account_number: `B-${i}` }));
      const { exports } = await import('cloudflare:workers');
      const response = await exports.default.fetch(
        new Request(`https://import.test/v2/data-import/accounts/bulk/?mode=${mode}`, {
          method: 'POST',
          headers: { Authorization: `Token ${good.token}`, 'Content-Type': 'application/x-ndjson' },
          body: lines.join('\n'),
        }),
      );
      const results = (await textOf(response))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const fine = mode === 'create' ? 'SCHEDULED' : 'VALID';
      expect(results.map(({ status }) => status)).toEqual([fine, 'FAILED', fine, undefined]);
    },
  );

  it('may name it beside others where notes are added in bulk: its lines are our failure, and nothing of them is stored', async () => {
    const { broken, good } = await aBrokenAndAGood();
    const [there, here] = [await anImportedAccount(broken), await anImportedAccount(good)];
    const lines = [
      { import_supplier: good.code, external_account_number: here.externalAccountNumber },
      { import_supplier: broken.code, external_account_number: there.externalAccountNumber },
    ];
    const { exports } = await import('cloudflare:workers');
    const response = await exports.default.fetch(
      new Request('https://import.test/v1/data-import/notes/bulk/', {
        method: 'POST',
        headers: { Authorization: `Token ${good.token}`, 'Content-Type': 'application/x-ndjson' },
        body: lines.map((line) => JSON.stringify({ ...line, notes: [{ body: 'x' }] })).join('\n'),
      }),
    );
    const results = (await textOf(response))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ status }) => status)).toEqual([201, 500, undefined]);
    const notes = await readRows('SELECT account_id FROM notes WHERE account_id IN (?, ?)', here.id, there.id);
    expect(notes).toEqual([{ account_id: here.id }]);
  });
});
