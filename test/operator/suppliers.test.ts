/** §3.1, §10: suppliers, their configuration and their life cycle. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { anImportedAccount, aSupplier } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

const anOrganisation = async () => fieldsOf(await operate('POST', 'organisations/', { name: 'North' }))['id'] ?? expect.fail();
const aCode = () => `S-${crypto.randomUUID().slice(0, 8)}`;

const DEFAULTS = {
  default_country: 'GB',
  time_zone: 'UTC',
  send_customer_emails: false,
  extra_charge_reasons: [],
  extra_credit_reasons: [],
  vendors: [],
  payload_retention_days: 90,
  event_retention_days: 30,
};
const NONE = { PENDING: 0, IN_PROGRESS: 0, PROCESSED: 0, ERRORED: 0, CANCELLED: 0, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0 };

/** A supplier made over HTTP. */
async function aCreatedSupplier(configuration: Record<string, unknown> = {}): Promise<string> {
  const body = {
    organisation_id: await anOrganisation(),
    code: aCode(),
    name: 'North',
    configuration: { default_country: 'GB', ...configuration },
  };
  expect((await operate('POST', 'suppliers/', body)).status).toBe(201);
  return body.code;
}

const patch = (code: string, body: unknown) => operate('PATCH', `suppliers/${encodeURIComponent(code)}/`, body);
const statusOf = async (code: string) => (await readRow('SELECT status, version, resumed_at FROM suppliers WHERE code = ?', code)) ?? {};

describe('POST suppliers/ 201', () => {
  it('makes an Ongoing supplier with defaults for what was not given, audited', async () => {
    const organisation = await anOrganisation();
    const code = `A b+ü ${aCode()}`;
    const answer = await operate('POST', 'suppliers/', {
      organisation_id: organisation,
      code,
      name: 'North',
      configuration: { default_country: 'GB' },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        organisation_id: organisation,
        code,
        name: 'North',
        status: 'Ongoing',
        configuration: { ...DEFAULTS, documents_root: code },
        version: 1,
        import_processes: NONE,
      },
    });
    expect(await operate('GET', `suppliers/${encodeURIComponent(code)}/`)).toMatchObject({ status: 200, body: answer.body });
    expect(await operate('GET', 'suppliers/')).toMatchObject({ status: 200, body: expect.arrayContaining([answer.body]) });
    expect(await auditOf(`supplier ${code}`)).toMatchObject([
      {
        actor: 'operator',
        action: 'supplier.created',
        after: { organisation_id: organisation, status: 'Ongoing', configuration: { ...DEFAULTS, documents_root: code } },
      },
    ]);
  });
});

describe('POST suppliers/ 400', () => {
  const good = { organisation_id: 'org_none', code: 'X', name: 'X', configuration: { default_country: 'GB' } };
  it.each([
    [
      {},
      [
        ['organisation_id', 'required'],
        ['code', 'required'],
        ['name', 'required'],
        ['configuration', 'required'],
      ],
    ],
    [good, [['organisation_id', 'does_not_exist']]],
    [
      { ...good, code: 'a/b' },
      [
        ['organisation_id', 'does_not_exist'],
        ['code', 'invalid'],
      ],
    ],
    ...['a\u200b', '\u202ea', 'a\u2028b', 'a\u3164', ' a', 'a\u00a0', '\ufeffa', 'check'].map(
      (code) =>
        [
          { ...good, code },
          [
            ['organisation_id', 'does_not_exist'],
            ['code', 'invalid'],
          ],
        ] as [object, string[][]],
    ),
    [
      { ...good, code: '\u200b\u2060', name: '\u3164' },
      [
        ['organisation_id', 'does_not_exist'],
        ['code', 'blank'],
        ['name', 'blank'],
      ],
    ],
    [
      { ...good, code: 'x'.repeat(33) },
      [
        ['organisation_id', 'does_not_exist'],
        ['code', 'max_length'],
      ],
    ],
    [
      { ...good, code: '..' },
      [
        ['organisation_id', 'does_not_exist'],
        ['code', 'invalid'],
      ],
    ],
    [
      { ...good, configuration: {} },
      [
        ['organisation_id', 'does_not_exist'],
        ['configuration.default_country', 'required'],
      ],
    ],
    [
      {
        configuration: {
          colour: 'red',
          default_country: 'XX',
          vendors: ['PAYPAL'],
          payload_retention_days: 0,
          event_retention_days: 3_651,
          documents_root: 'a/../b',
          time_zone: 'Mars',
        },
        organisation_id: 'org_none',
        code: 'X',
        name: 'X',
      },
      [
        ['configuration.colour', 'invalid'],
        ['configuration.default_country', 'invalid_country'],
        ['configuration.vendors.0', 'invalid_choice'],
        ['configuration.payload_retention_days', 'min_value'],
        ['configuration.event_retention_days', 'max_value'],
        ['configuration.documents_root', 'invalid_document_path'],
        ['configuration.time_zone', 'invalid'],
        ['organisation_id', 'does_not_exist'],
      ],
    ],
    [
      { ...good, configuration: { default_country: 'GB', extra_charge_reasons: ['lower'] } },
      [
        ['organisation_id', 'does_not_exist'],
        ['configuration.extra_charge_reasons.0', 'invalid'],
      ],
    ],
  ])('%j', async (body, expected) => {
    const answer = await operate('POST', 'suppliers/', body);
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: { attr: string; code: string }[] };
    expect(errors.map(({ attr, code }) => [attr, code])).toEqual(expected);
  });

  it('refuses a code that is taken, whoever has it, as unique', async () => {
    const { code } = await aSupplier();
    const answer = await operate('POST', 'suppliers/', {
      organisation_id: await anOrganisation(),
      code,
      name: 'Y',
      configuration: { default_country: 'GB' },
    });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'code', code: 'unique' }] } });
    expect(await auditOf(`supplier ${code}`)).toEqual([]);
  });

  it('lets one of two parallel creations of a code succeed', async () => {
    const [organisation_id, code] = [await anOrganisation(), aCode()];
    const body = { organisation_id, code, name: 'Y', configuration: { default_country: 'GB' } };
    const answers = await Promise.all([operate('POST', 'suppliers/', body), operate('POST', 'suppliers/', body)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400]);
    expect(await auditOf(`supplier ${code}`)).toHaveLength(1);
  });
});

describe('GET suppliers/{code}/ 200', () => {
  it('counts import processes per status: PROCESSED from the minutes, the others from the open index', async () => {
    const supplier = await aSupplier();
    await anImportedAccount(supplier);
    const insert = env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
         sent_at, modified_at, attempts) VALUES (?1, ?2, ?2, ?3, '', 2, 0, 1, 1, 0, 1, 0)`,
    );
    await env.DB.batch([
      ...[0, 0, 0, 1, 3, 3, 4, 5, 6].map((status, i) =>
        insert.bind(supplier.supplierId, 1_000_000_000 + supplier.supplierId * 100 + i, status),
      ),
      env.DB.prepare('INSERT INTO imports_per_minute (supplier_id, minute, processed, errored) VALUES (?1, 1, 7, 0), (?1, 2, 5, 9)').bind(
        supplier.supplierId,
      ),
    ]);
    expect((await operate('GET', `suppliers/${supplier.code}/`)).body).toMatchObject({
      import_processes: { PENDING: 3, IN_PROGRESS: 1, PROCESSED: 12, ERRORED: 2, CANCELLED: 1, DRY_RUN_SUCCEEDED: 1, DRY_RUN_ERRORED: 1 },
    });
  });

  it('404: unknown code, in any case and form', async () => {
    const { code } = await aSupplier();
    for (const other of ['none', code.toLowerCase(), `${code}%20`, '%zz'])
      expect(await operate('GET', `suppliers/${other}/`), other).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('PATCH suppliers/{code}/ 200', () => {
  it('merges the configuration key by key: null leaves, empty clears; audited with before and after', async () => {
    const code = await aCreatedSupplier({
      documents_root: `north-${aCode()}`,
      time_zone: 'Europe/London',
      vendors: ['STRIPE'],
      extra_charge_reasons: ['FEE'],
    });
    const answer = await patch(code, {
      configuration: { default_country: null, documents_root: '', time_zone: '', vendors: [], payload_retention_days: 30 },
    });
    const configuration = { ...DEFAULTS, documents_root: code, extra_charge_reasons: ['FEE'], payload_retention_days: 30 };
    expect(answer).toMatchObject({ status: 200, body: { status: 'Ongoing', configuration } });
    expect(await statusOf(code)).toMatchObject({ version: 2 });
    expect((await auditOf(`supplier ${code}`)).at(-1)).toMatchObject({
      action: 'supplier.changed',
      before: { configuration: { documents_root: expect.stringContaining('north-'), vendors: ['STRIPE'] } },
      after: { configuration },
    });
  });

  it('changes and audits nothing when nothing differs', async () => {
    const code = await aCreatedSupplier();
    expect((await patch(code, { status: 'Ongoing', name: 'North', configuration: { default_country: 'GB' } })).status).toBe(200);
    expect((await patch(code, {})).status).toBe(200);
    expect(await statusOf(code)).toMatchObject({ version: 1 });
    expect(await auditOf(`supplier ${code}`)).toHaveLength(1);
  });

  it('goes Ongoing → Paused → Ongoing → Complete → Ongoing with a reason, each audited, each a new version', async () => {
    const code = await aCreatedSupplier();
    const before = Date.now();
    for (const body of [
      { status: 'Paused', reason: 'vendor down' },
      { status: 'Ongoing' },
      { status: 'Complete' },
      { status: 'Ongoing', reason: 'late accounts' },
    ]) {
      const answer = await patch(code, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 200, body: { status: body.status } });
    }
    const { version, resumed_at } = await statusOf(code);
    expect(version).toBe(5);
    expect(resumed_at).toBeGreaterThanOrEqual(before);
    const entries = (await auditOf(`supplier ${code}`)).slice(1);
    expect(entries.map(({ before, after }) => [Object(before).status, Object(after).status, Object(after).reason])).toEqual([
      ['Ongoing', 'Paused', 'vendor down'],
      ['Paused', 'Ongoing', undefined],
      ['Ongoing', 'Complete', undefined],
      ['Complete', 'Ongoing', 'late accounts'],
    ]);
  });

  it('keeps both of two parallel changes', async () => {
    const code = await aCreatedSupplier();
    const answers = await Promise.all([
      patch(code, { configuration: { payload_retention_days: 10 } }),
      patch(code, { configuration: { send_customer_emails: true } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({
      configuration: { payload_retention_days: 10, send_customer_emails: true },
    });
    expect(await auditOf(`supplier ${code}`)).toHaveLength(3);
  });
});

describe('PATCH suppliers/{code}/ 400, 404, 409', () => {
  it('400: unknown settings and wrong values, at the setting; nothing is stored', async () => {
    const code = await aCreatedSupplier();
    const answer = await patch(code, { status: 'Stopped', configuration: { colour: 'red', payload_retention_days: 1.5 } });
    const { errors } = answer.body as { errors: { attr: string; code: string }[] };
    expect(errors.map((error) => [error.attr, error.code])).toEqual([
      ['status', 'invalid_choice'],
      ['configuration.colour', 'invalid'],
      ['configuration.payload_retention_days', 'invalid'],
    ]);
    expect(await statusOf(code)).toMatchObject({ status: 'Ongoing', version: 1 });
  });

  it('400: Complete → Ongoing without a reason', async () => {
    const code = await aCreatedSupplier();
    await patch(code, { status: 'Complete' });
    for (const [reason, wrong] of [
      [undefined, 'required'],
      ['', 'blank'],
      ['  ', 'blank'],
    ]) {
      const answer = await patch(code, { status: 'Ongoing', reason });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'reason', code: wrong }] } });
    }
    expect(await statusOf(code)).toMatchObject({ status: 'Complete' });
  });

  it('400: a version that is none', async () => {
    const code = await aCreatedSupplier();
    for (const version of [0, 1.5, '1'])
      expect(await patch(code, { version, name: 'x' })).toMatchObject({ status: 400, body: { errors: [{ attr: 'version' }] } });
  });

  it('409: a version that somebody else has moved on; nothing is stored', async () => {
    const code = await aCreatedSupplier();
    expect(await patch(code, { version: 1, configuration: { vendors: ['STRIPE'] } })).toMatchObject({ status: 200, body: { version: 2 } });
    const late = await patch(code, { version: 1, name: 'late', configuration: { payload_retention_days: 1 } });
    expect(late).toMatchObject({ status: 409, body: { code: 'invalid_transition', detail: expect.stringContaining('version 2') } });
    expect(await operate('GET', `suppliers/${code}/`)).toMatchObject({
      body: { name: 'North', version: 2, configuration: { vendors: ['STRIPE'], payload_retention_days: 90 } },
    });
    expect((await auditOf(`supplier ${code}`)).filter(({ action }) => action === 'supplier.changed')).toHaveLength(1);
    expect((await patch(code, { version: 2, name: 'in time' })).status).toBe(200);
  });

  it('409: all but one of many changes of one version at once', async () => {
    const code = await aCreatedSupplier();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((days) => patch(code, { version: 1, configuration: { payload_retention_days: days } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await statusOf(code)).toMatchObject({ version: 2 });
  });

  it('404: unknown supplier', async () => {
    expect(await patch('none', { status: 'Paused' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('409: Complete → Paused', async () => {
    const code = await aCreatedSupplier();
    await patch(code, { status: 'Complete' });
    expect(await patch(code, { status: 'Paused', reason: 'x' })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await statusOf(code)).toMatchObject({ status: 'Complete', version: 2 });
    expect(await auditOf(`supplier ${code}`)).toHaveLength(2);
  });

  it('409: completing with more pending than the operator was shown', async () => {
    const supplier = await aSupplier();
    await env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
         sent_at, modified_at, attempts) VALUES (?1, 2000000000 + ?1, 'P', 0, '', 2, 0, 1, 1, 1, 1, 0)`,
    )
      .bind(supplier.supplierId)
      .run();
    const answer = await patch(supplier.code, { status: 'Complete', confirm_pending: 0 });
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', detail: expect.stringContaining('1 pending') } });
    expect(await statusOf(supplier.code)).toMatchObject({ status: 'Ongoing' });
  });
});
