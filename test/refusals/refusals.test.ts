/** §10: what creates were refused for, so that accounts that never became an import process are seen, too. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scheduleAccount } from '../../src/accounts/schedule/schedule';
import { everyMinute } from '../../src/scheduled';
import { bulkResults } from '../support/bulk';
import { signedIn, visit } from '../support/console';
import { aDeps } from '../support/deps';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const DAY = 86_400_000;

const refusalsOf = async ({ code }: GivenSupplier, query = '') => (await operate('GET', `suppliers/${code}/refusals/${query}`)).body;

const wrongEmail = (given: GivenSupplier, external: string) => ({
  ...aSmallAccount(given.code, external),
  customers: [{ given_name: 'Ada' }, { given_name: 'Bea', email: 'bea.bell at example.com' }],
});
const lineOf = (account: object) => JSON.stringify(account);
const create = (given: GivenSupplier, body: unknown) => call('POST', '/v2/data-import/accounts/', { token: given.token, body });
const instant = expect.stringMatching(/^\d{4}-.*Z$/);

describe('a create that is refused is counted', () => {
  it('by code and place, with its number and exact place, and without a value that was sent', async () => {
    const given = await aSupplier();
    expect((await create(given, wrongEmail(given, 'E-1'))).status).toBe(400);
    const body = await refusalsOf(given);
    expect(body).toEqual({
      refused: 1,
      refusals: [
        {
          code: 'invalid_email',
          attr: 'customers.*.email',
          accounts: 1,
          examples: [{ external_account_number: 'E-1', attr: 'customers.1.email', refused_at: instant }],
        },
      ],
    });
    const results = await readRows('SELECT * FROM refusals WHERE supplier_id = ?', given.supplierId);
    expect(JSON.stringify(results)).not.toMatch(/bea|bell|example\.com/i);
  });

  it('in bulk: 10 lines of which 4 are refused count 4, each once for each code and place, however many errors it has', async () => {
    const given = await aSupplier();
    const right = Array.from({ length: 6 }, (_, i) => lineOf(aSmallAccount(given.code, `R-${i}`)));
    const wrong = ['W-0', 'W-1'].map((number) => lineOf(wrongEmail(given, number)));
    const twice = lineOf({ ...aSmallAccount(given.code, 'W-2'), customers: [{ email: 'x' }, { email: 'y' }] });
    const unnamed = lineOf({ import_supplier: given.code });
    await bulkResults(given, [...right, ...wrong, twice, unnamed], 'create');
    const { refused, refusals } = (await refusalsOf(given)) as { refused: number; refusals: Record<string, unknown>[] };
    expect(refused).toBe(4);
    const counts = refusals.map(({ code, attr, accounts }) => [code, attr, accounts]);
    expect(counts).toEqual([
      ['invalid_email', 'customers.*.email', 3],
      ['required', 'customers.*.non_field_errors', 1],
      ['required', 'external_account_number', 1],
    ]);
    expect(refusals[0]).toMatchObject({
      examples: ['W-2', 'W-1', 'W-0'].map((external_account_number) => ({ external_account_number })),
    });
    expect(refusals[2]).toMatchObject({ examples: [{ external_account_number: null, attr: 'external_account_number' }] });
  });

  it('because of the status of its supplier, too', async () => {
    const given = await aSupplier({ status: 'Paused' });
    await create(given, aSmallAccount(given.code, 'a'));
    await bulkResults(given, [lineOf(aSmallAccount(given.code, 'b'))], 'create');
    expect(await refusalsOf(given)).toMatchObject({
      refused: 2,
      refusals: [{ code: 'import_supplier_paused', attr: 'import_supplier', accounts: 2 }],
    });
  });

  it('minute by minute, with the newest 20 examples over all of them', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    deps.advance(-3 * 60_000);
    for (let i = 0; i < 25; i++) {
      await scheduleAccount(deps, given, wrongEmail(given, `E-${i}`), lineOf(wrongEmail(given, `E-${i}`)));
      if (i % 10 === 9) deps.advance(60_000);
    }
    const { refusals } = (await refusalsOf(given)) as { refusals: { accounts: number; examples: { external_account_number: string }[] }[] };
    expect(refusals).toMatchObject([{ accounts: 25 }]);
    const expected = Array.from({ length: 20 }, (_, i) => `E-${24 - i}`);
    expect(refusals[0]?.examples.map((one) => one.external_account_number)).toEqual(expected);
    const stored = await readRows(
      'SELECT accounts, json_array_length(examples) AS examples FROM refusals WHERE supplier_id = ?',
      given.supplierId,
    );
    expect(stored).toHaveLength(3);
    expect(await refusalsOf(given, '?minutes=1')).toEqual({ refused: 0, refusals: [] });
  });

  it('under the run that it names, beside its supplier, singly and in bulk', async () => {
    const given = await aSupplier();
    const run = (name: string) => `/v2/data-import/runs/${given.code}/${name}/`;
    for (const name of ['one', 'two']) await call('PUT', run(name), { token: given.token, body: {} });
    const inRun = (external: string, name: string) => ({ ...wrongEmail(given, external), task_params: { run: name } });
    await create(given, inRun('a', 'one'));
    await bulkResults(given, [inRun('b', 'one'), inRun('c', 'two'), inRun('d', 'none'), wrongEmail(given, 'e')].map(lineOf), 'create');
    const rows = await readRows(
      'SELECT name, code, attr, accounts FROM run_refusals AS f JOIN runs AS r ON r.id = f.run_id WHERE f.supplier_id = ? ORDER BY name',
      given.supplierId,
    );
    const place = { code: 'invalid_email', attr: 'customers.*.email' };
    expect(rows).toEqual([
      { name: 'one', ...place, accounts: 2 },
      { name: 'two', ...place, accounts: 1 },
    ]);
    for (const [name, refused] of [['one', 2] as const, ['two', 1] as const])
      expect((await call('GET', run(name), { token: given.token })).body).toMatchObject({ refused });
    expect(await refusalsOf(given)).toMatchObject({ refused: 5 });
  });

  it('and names that its importer chose are left out of its place', async () => {
    const given = await aSupplier();
    const number = `{"Ada Bell, 1 Harbour Road":1e999}`;
    await bulkResults(given, [`{"import_supplier":"${given.code}","external_account_number":"a","x":${number}}`], 'create');
    const body = await refusalsOf(given);
    expect(body).toMatchObject({ refused: 1 });
    expect(JSON.stringify(body)).not.toContain('Harbour');
  });
});

describe('no refusal is counted', () => {
  it('of what is scheduled, was imported before, or is only validated, and none of a supplier of another organisation', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const account = aSmallAccount(given.code, 'a');
    const { deps, messages } = await stage(given, [account]);
    await deliver(deps, messages);
    await operate('PATCH', `suppliers/${given.code}/`, { status: 'Paused' });
    await bulkResults(given, [lineOf(account)], 'create');
    await bulkResults(given, [lineOf(wrongEmail(given, 'b'))], 'validate');
    await call('POST', '/v2/data-import/accounts/validate/', { token: given.token, body: wrongEmail(given, 'b') });
    await create(other, wrongEmail(given, 'b'));
    await bulkResults(other, [lineOf(wrongEmail(given, 'b')), '{'], 'create');
    for (const one of [given, other]) expect(await refusalsOf(one)).toEqual({ refused: 0, refusals: [] });
  });

  it('where it cannot be stored: the answer is what it would have been, and the log says so', async () => {
    const given = await aSupplier();
    const refuse = `BEFORE INSERT ON refusals WHEN NEW.supplier_id = ${given.supplierId} BEGIN SELECT RAISE(ABORT, 'full'); END`;
    await env.DB.prepare(`CREATE TRIGGER refusals_fail ${refuse}`).run();
    try {
      expect((await create(given, wrongEmail(given, 'a'))).status).toBe(400);
      const results = await bulkResults(given, [lineOf(wrongEmail(given, 'a')), lineOf(aSmallAccount(given.code, 'b'))], 'create');
      expect(results).toMatchObject([{ status: 'INVALID' }, { status: 'SCHEDULED' }]);
      const deps = aDeps();
      await scheduleAccount(deps, given, wrongEmail(given, 'a'), lineOf(wrongEmail(given, 'a')));
      expect(deps.logged).toMatchObject([{ event: 'refusals_not_counted', fields: { refusals: 1 } }]);
    } finally {
      await env.DB.prepare('DROP TRIGGER refusals_fail').run();
    }
    expect(await refusalsOf(given)).toEqual({ refused: 0, refusals: [] });
  });
});

describe('GET /operator/v1/suppliers/{code}/refusals/', () => {
  it('400: minutes that are none; 404: no such supplier', async () => {
    const { code } = await aSupplier();
    for (const minutes of ['0', '43201', 'x', '-1', '1.5'])
      expect((await operate('GET', `suppliers/${code}/refusals/?minutes=${minutes}`)).status, minutes).toBe(400);
    expect((await operate('GET', 'suppliers/none/refusals/')).status).toBe(404);
  });

  it('forgets by what accounts were refused after 30 days, not how many they were', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    deps.advance(-31 * DAY);
    for (const name of ['old', 'new']) await call('PUT', `/v2/data-import/runs/${given.code}/${name}/`, { token: given.token, body: {} });
    const [old, young] = ['old', 'new'].map((run) => ({ ...wrongEmail(given, run), task_params: { run } }));
    await scheduleAccount(deps, given, old, lineOf(old ?? {}));
    await create(given, young);
    // The walk of retention comes to every supplier once a day.
    await env.DB.prepare('UPDATE suppliers SET retention_next_at = iif(id = ?, 0, 9e15)').bind(given.supplierId).run();
    const isWalked = () => readRow('SELECT 1 FROM suppliers WHERE id = ? AND retention_next_at > 0', given.supplierId);
    while (!(await isWalked())) await everyMinute(aDeps());
    const results = await readRows('SELECT examples FROM refusals WHERE supplier_id = ?', given.supplierId);
    expect(results).toEqual([{ examples: expect.stringContaining('new') }]);
    const ofRuns =
      'SELECT name, refused, (SELECT count(*) FROM run_refusals WHERE run_id = runs.id) AS kinds FROM runs WHERE supplier_id = ? ORDER BY id';
    expect(await readRows(ofRuns, given.supplierId)).toEqual([
      { name: 'old', refused: 1, kinds: 0 },
      { name: 'new', refused: 1, kinds: 1 },
    ]);
    const refused = await readRow('SELECT sum(refused) AS refused FROM imports_per_minute WHERE supplier_id = ?', given.supplierId);
    expect(refused).toEqual({ refused: 2 });
  });
});

describe('the console', () => {
  it('puts a supplier with refusals first, and never says that nothing is stuck then', async () => {
    const { Cookie } = await signedIn();
    const [given] = [await aSupplier(), await aSupplier()];
    await create(given, wrongEmail(given, 'E-1'));
    const { text } = await visit('/operator/', Cookie);
    expect(text).not.toContain('Nothing is stuck');
    expect(text).toMatch(/class="headline held">\d+ of \d+ suppliers? needs? attention: [^<]*\d+ with refused creates/);
    expect(text).toContain(`<a id="refused-${given.code}" class="bad" href="/operator/suppliers/${given.code}/refusals/">1</a>`);
    const shown = [...text.matchAll(/<tr id="supplier-([^"]+)" data-is="(attention)?/g)];
    expect(shown.find(([, code]) => code === given.code)?.[2]).toBe('attention');
    const needing = shown.filter(([, , needs]) => needs !== undefined).length;
    expect(shown.slice(0, needing).every(([, , needs]) => needs !== undefined)).toBe(true);
    expect(needing).toBeLessThan(shown.length);
    // The bar is not full of what was imported.
    expect(text).toMatch(new RegExp(`id="bar-${given.code}-refused" class="refused" x="0.0" y="0" width="1000.0"`));
  });

  it('shows them beside Errored, by code with examples, and gives them for download', async () => {
    const { Cookie } = await signedIn();
    const given = await aSupplier();
    await bulkResults(
      given,
      ['E-1', 'E-2'].map((number) => lineOf(wrongEmail(given, number))),
      'create',
    );
    const home = `/operator/suppliers/${given.code}/`;
    expect((await visit(home, Cookie)).text).toContain(`<a id="n-refused" href="${home}refusals/">2</a>`);
    const page = await visit(`${home}refusals/`, Cookie);
    expect([page.status, page.text.includes('invalid_email'), page.text.includes('customers.1.email')]).toEqual([200, true, true]);
    const download = await visit(`${home}refusals/download/`, Cookie);
    expect(download.headers.get('Content-Disposition')).toContain('attachment');
    const lines = download.text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual(
      ['E-2', 'E-1'].map((external_account_number) => ({
        external_account_number,
        code: 'invalid_email',
        attr: 'customers.1.email',
        refused_at: instant,
      })),
    );
    expect((await visit('/operator/suppliers/none/refusals/', Cookie)).status).toBe(404);
    expect((await visit(`${home}refusals/download/`, '')).status).toBe(303);
  });
});
