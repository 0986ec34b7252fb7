/** §2.1: every supplier's documents have a folder of their own, apart from those of other organisations. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aDocument, aSupplier, call, type GivenSupplier } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';

const anOrganisation = async () => fieldsOf(await operate('POST', 'organisations/', { name: 'North' }))['id'] ?? expect.fail();
const aCode = () => `R-${crypto.randomUUID().slice(0, 8)}`;

async function create(organisation_id: string, code: string, configuration: Record<string, unknown> = {}) {
  return operate('POST', 'suppliers/', {
    organisation_id,
    code,
    name: 'North',
    configuration: { default_country: 'GB', ...configuration },
  });
}

const patchRoot = (code: string, documents_root: unknown) =>
  operate('PATCH', `suppliers/${encodeURIComponent(code)}/`, { configuration: { documents_root } });

const rootIn = ({ body }: { readonly body: unknown }) =>
  (body as { configuration?: { documents_root: string } }).configuration?.documents_root;
const TAKEN = { status: 400, body: { errors: [{ attr: 'configuration.documents_root', code: 'unique' }] } };

/** The codes of what is wrong with an account of the supplier that names a document. */
async function refusalOf(supplier: GivenSupplier, document_path: string) {
  const body = { import_supplier: supplier.code, external_account_number: 'D', notes: [{ document_paths: [{ document_path }] }] };
  const answer = await call('POST', '/v2/data-import/accounts/validate/', { token: supplier.token, body });
  return (answer.body as { errors?: { code: string }[] }).errors?.map(({ code }) => code) ?? [];
}

describe("another organisation's documents", () => {
  it('are neither found nor attached by a supplier for which no folder was named', async () => {
    const [theirs, own] = [await aSupplier(), await aSupplier()];
    const letter = `${crypto.randomUUID()}.pdf`;
    await aDocument(`${theirs.code}/${letter}`);
    await aDocument(letter);
    await aDocument(`${own.code}/${letter}`);
    expect(await refusalOf(theirs, letter)).toEqual([]);
    expect(await refusalOf(own, `${theirs.code}/${letter}`)).toEqual(['document_not_found']);
    expect(await refusalOf(own, letter)).toEqual([]);
    await env.DOCUMENTS.delete(`${own.code}/${letter}`);
    expect(await refusalOf(own, letter)).toEqual(['document_not_found']);
  });

  it.each(['', '/', '//'])('are out of reach of a row that an older release left with the root %j', async (documents_root) => {
    const own = await aSupplier({ configuration: { documents_root } });
    const letter = `${crypto.randomUUID()}.pdf`;
    await aDocument(letter);
    expect(await refusalOf(own, letter)).toEqual(['document_not_found']);
    await aDocument(`${own.code}/${letter}`);
    expect(await refusalOf(own, letter)).toEqual([]);
    expect(rootIn(await operate('GET', `suppliers/${own.code}/`))).toBe(own.code);
  });
});

describe('the root of a new supplier', () => {
  it('is its code unless another is given, without slashes at its ends and in NFC', async () => {
    const organisation = await anOrganisation();
    const [code, other] = [`Ü ${aCode()}`, aCode()];
    expect(rootIn(await create(organisation, code))).toBe(code);
    expect(rootIn(await create(organisation, other, { documents_root: `//${other}/a\u0308//` }))).toBe(`${other}/ä`);
    expect(await auditOf(`supplier ${other}`)).toMatchObject([{ after: { configuration: { documents_root: `${other}/ä` } } }]);
  });

  it.each(['/', 'a//b', 'a/./b', '../a', 'a/..', 'a\\b', 'a\u0000', 'a\n', '\ud800', '€'.repeat(400)])(
    'is refused as a document path is: %j',
    async (root) => {
      const answer = await create(await anOrganisation(), aCode(), { documents_root: root });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'configuration.documents_root' }] } });
    },
  );

  it('has to be given where the code is no folder', async () => {
    const [organisation, code] = [await anOrganisation(), `a\\b ${aCode()}`];
    expect(await create(organisation, code)).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'configuration.documents_root', code: 'invalid_document_path' }] },
    });
    expect((await create(organisation, code, { documents_root: aCode() })).status).toBe(201);
  });
});

describe('a root that is, holds or lies in that of another organisation', () => {
  it('is refused as unique at a creation, and taken by the same organisation', async () => {
    const [theirs, own, root] = [await anOrganisation(), await anOrganisation(), aCode()];
    expect((await create(theirs, aCode(), { documents_root: `${root}/letters` })).status).toBe(201);
    for (const documents_root of [`${root}/letters`, `/${root}/letters/`, `${root}/letters/old`, root]) {
      expect(await create(own, aCode(), { documents_root }), documents_root).toMatchObject(TAKEN);
      expect((await create(theirs, aCode(), { documents_root })).status, documents_root).toBe(201);
    }
    for (const documents_root of [`${root}x`, `${root.slice(0, -1)}`, `${root.toLowerCase()}/letters`])
      expect((await create(own, aCode(), { documents_root })).status, documents_root).toBe(201);
  });

  it('is refused where it is the code that nobody gave as a root, in any Unicode form', async () => {
    const [theirs, own, code] = [await anOrganisation(), await anOrganisation(), aCode()];
    expect((await create(theirs, aCode(), { documents_root: code })).status).toBe(201);
    expect(await create(own, code)).toMatchObject(TAKEN);
    expect((await create(theirs, `ä${code}`)).status).toBe(201);
    expect(await create(own, `a\u0308${code}`)).toMatchObject(TAKEN);
    const older = await aSupplier({ configuration: { documents_root: `a\u0308-${code}` } });
    expect(await create(own, aCode(), { documents_root: `ä-${code}` })).toMatchObject(TAKEN);
    expect((await create(older.organisationId, aCode(), { documents_root: `ä-${code}` })).status).toBe(201);
  });

  it('is refused at a change, with all other errors, and nothing is stored', async () => {
    const [theirs, own] = [await aSupplier(), await aSupplier()];
    expect(await patchRoot(own.code, `${theirs.code}/letters`)).toMatchObject(TAKEN);
    const answer = await operate('PATCH', `suppliers/${own.code}/`, {
      configuration: { documents_root: theirs.code, payload_retention_days: 0, default_country: 'XX' },
    });
    expect((answer.body as { errors: { attr: string; code: string }[] }).errors.map(({ attr, code }) => `${attr} ${code}`)).toEqual([
      'configuration.documents_root unique',
      'configuration.payload_retention_days min_value',
      'configuration.default_country invalid_country',
    ]);
    expect(rootIn(await operate('GET', `suppliers/${own.code}/`))).toBe(own.code);
    expect(await auditOf(`supplier ${own.code}`)).toEqual([]);
  });

  it('does not keep a supplier that shares its root since earlier from being changed otherwise', async () => {
    const root = aCode();
    const [one, two] = [
      await aSupplier({ configuration: { documents_root: root } }),
      await aSupplier({ configuration: { documents_root: root } }),
    ];
    for (const { code } of [one, two]) {
      const answer = await operate('PATCH', `suppliers/${code}/`, {
        status: 'Paused',
        configuration: { documents_root: root, vendors: ['STRIPE'] },
      });
      expect(answer).toMatchObject({ status: 200, body: { status: 'Paused', configuration: { documents_root: root } } });
    }
  });

  it('goes to one of many creations at once, whatever their codes', async () => {
    const root = aCode();
    const organisations = await Promise.all(Array.from({ length: 6 }, anOrganisation));
    const answers = await Promise.all(
      organisations.map((organisation, i) => create(organisation, aCode(), { documents_root: i % 2 === 0 ? root : `${root}/in` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400)) expect(answer).toMatchObject(TAKEN);
  });

  it('goes to one of two changes at once', async () => {
    const root = aCode();
    const own = await Promise.all([aSupplier(), aSupplier(), aSupplier()]);
    const answers = await Promise.all(own.map(({ code }, i) => patchRoot(code, i === 0 ? root : `${root}/in`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });
});

describe('a change of the root', () => {
  it('with nothing in it goes back to the code', async () => {
    const { code } = await aSupplier({ configuration: { documents_root: aCode() } });
    expect(rootIn(await patchRoot(code, ''))).toBe(code);
    expect(rootIn(await patchRoot(code, null))).toBe(code);
  });

  it('counts for what is validated after it', async () => {
    const own = await aSupplier();
    const letter = `${crypto.randomUUID()}.pdf`;
    await aDocument(`${own.code}-2/${letter}`);
    expect(await refusalOf(own, letter)).toEqual(['document_not_found']);
    expect((await patchRoot(own.code, `${own.code}-2`)).status).toBe(200);
    expect(await refusalOf(own, letter)).toEqual([]);
  });
});
