/** The console's lists, errors and figures of a supplier, over HTTP. */
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { auditOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

const HOME = 'https://import.test';
let session: { readonly Cookie: string; readonly formToken: string };

async function visit(path: string, form?: readonly (readonly [string, string])[]) {
  const response = await exports.default.fetch(
    new Request(`${HOME}/operator/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { Cookie: session?.Cookie ?? '', 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': '203.0.113.77' },
      redirect: 'manual',
      ...(form
        ? { body: new URLSearchParams([['form_token', session?.formToken ?? ''], ...form.map(([name, value]) => [name, value])]) }
        : {}),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

beforeAll(async () => {
  const { headers } = await visit('sign-in/', [['token', env.OPERATOR_TOKEN ?? '']]);
  session = { Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail(), formToken: '' };
  const { text } = await visit('organisations/');
  session = { ...session, formToken: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? expect.fail() };
});

const TOMORROW = Date.now() + 86_400_000;

async function aPending(supplier: GivenSupplier, external: string): Promise<void> {
  const task_params = { schedule_window_start: new Date(TOMORROW).toISOString() };
  const body = { import_supplier: supplier.code, external_account_number: external, task_params };
  expect((await call('POST', '/v2/data-import/accounts/', { token: supplier.token, body })).status).toBe(201);
}

const field = (attr: string, code = 'invalid_phone_number') => ({ attr, code, detail: 'Enter a "valid" number.' });
const failed = (...errors: ReturnType<typeof field>[]) => ({ code: 'import_process_failed_validation', detail: 'Wrong.', errors });
const GAVE_UP = { code: 'account_import_process_failed', detail: 'Failed.' };

async function anErrored(supplier: GivenSupplier, external: string, error: object): Promise<void> {
  await aPending(supplier, external);
  await env.DB.prepare(
    'UPDATE import_processes SET status = 3, error = ?3, finished_at = modified_at WHERE supplier_id = ?1 AND external_account_number = ?2',
  )
    .bind(supplier.supplierId, external, JSON.stringify(error))
    .run();
}

const statusOf = async (supplier: GivenSupplier, external: string) =>
  (
    await readRow<{ status: number }>(
      'SELECT status FROM import_processes WHERE supplier_id = ? AND external_account_number = ?',
      supplier.supplierId,
      external,
    )
  )?.status;

const at = ({ code }: GivenSupplier, rest = '') => `suppliers/${code}/${rest}`;
const totalIn = (text: string) => /id="total"[^>]*>([^<]*)</.exec(text)?.[1];
const listed = (text: string) => [...text.matchAll(/class="main" href="[^"]*">([^<]*)</g)].map(([, number]) => number);

async function aTroubledSupplier(): Promise<GivenSupplier> {
  const supplier = await aSupplier();
  for (const [i, error] of [
    failed(field('customers.0.landline')),
    failed(field('customers.0.landline'), field('customers.1.landline')),
    failed(field('customers.0.landline')),
    failed(field('customers.0.landline')),
    GAVE_UP,
  ].entries())
    await anErrored(supplier, `E-${i}`, error);
  for (const external of ['P-1', 'P-2']) await aPending(supplier, external);
  return supplier;
}

describe('errors of a supplier', () => {
  it('are reported by code and by place, each with a link to its accounts and the three newest of them', async () => {
    const supplier = await aTroubledSupplier();
    const { text } = await visit(at(supplier));
    const group = (id: string) => text.slice(text.indexOf(`id="error-${id}"`)).split('</div></div>')[0] ?? '';
    const landline = text.slice(text.indexOf('id="error-invalid_phone_number-customers.0.landline"'));
    expect(landline).toContain('invalid_phone_number at customers.0.landline');
    expect(
      [...(landline.split('id="error-invalid_phone_number-customers.1')[0] ?? '').matchAll(/processes\/(E-\d)\//g)].map(([, one]) => one),
    ).toEqual(['E-3', 'E-2', 'E-1']);
    expect(group('account_import_process_failed')).toContain('processes/E-4/');
    const link = /id="error-invalid_phone_number-customers\.1\.landline"[^>]*href="\/operator\/([^"]+)"/.exec(text)?.[1] ?? expect.fail();
    const list = await visit(link.replaceAll('&amp;', '&'));
    expect([listed(list.text), totalIn(list.text)]).toEqual([['E-1'], '1 account']);
  });
});

describe('the list of accounts', () => {
  it('says how many there are: in all, by status, by code, by place and by what they begin with', async () => {
    const supplier = await aTroubledSupplier();
    const total = async (query: string) => totalIn((await visit(at(supplier, `processes/${query}`))).text);
    expect(await total('')).toBe('7 accounts');
    expect(await total('?status=PENDING')).toBe('2 accounts');
    expect(await total('?error_code=import_process_failed_validation')).toBe('4 accounts');
    expect(await total('?field_code=invalid_phone_number&attr=customers.0.landline')).toBe('4 accounts');
    expect(await total('?prefix=P-')).toBe('2 accounts');
    expect(await total('?prefix=P-&status=ERRORED')).toBe('0 accounts');
  });

  it('offers the codes that there are', async () => {
    const supplier = await aTroubledSupplier();
    const { text } = await visit(at(supplier, 'processes/'));
    expect([...text.matchAll(/<option>(\w+)<\/option>/g)].map(([, code]) => code)).toEqual([
      'import_process_failed_validation',
      'account_import_process_failed',
    ]);
  });

  it('is exported as CSV, a line for each failed field, and nothing in it runs as a formula', async () => {
    const supplier = await aTroubledSupplier();
    await aPending(supplier, '=1+1');
    const { status, headers, text } = await visit(at(supplier, 'export/'));
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('Content-Disposition')).toContain('attachment');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('external_account_number,status,account_number,dry_run,created_at,modified_at,error_code,attr,field_code,detail');
    expect(lines).toHaveLength(1 + 8 + 1);
    expect(lines.filter((line) => line.startsWith("'=1+1,PENDING,"))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('E-1,ERRORED,'))[1]).toContain(
      ',import_process_failed_validation,customers.1.landline,invalid_phone_number,"Enter a ""valid"" number."',
    );
    const some = await visit(at(supplier, 'export/?field_code=invalid_phone_number&attr=customers.1.landline'));
    expect(some.text.match(/^E-\d/gm)).toEqual(['E-1', 'E-1']);
    expect((await visit('suppliers/NO-SUCH/export/')).status).toBe(404);
  });

  it('retries what was selected, audited one by one, and goes back to the same list', async () => {
    const supplier = await aTroubledSupplier();
    const answer = await visit(at(supplier, 'selected/'), [
      ['do', 'retry'],
      ['list', 'status=ERRORED&error_code=x'],
      ['external', 'E-0'],
      ['external', 'E-4'],
    ]);
    expect(answer.headers.get('Location')).toBe(`/operator/${at(supplier, 'processes/?status=ERRORED&error_code=x&told=retried&n=2')}`);
    expect(await Promise.all(['E-0', 'E-1', 'E-4'].map((one) => statusOf(supplier, one)))).toEqual([0, 3, 0]);
    expect((await auditOf(`import process ${supplier.code} E-4`)).map(({ action }) => action)).toEqual(['import_process.retried']);
  });

  it('cancels what was selected once that is confirmed, and counts what it could not', async () => {
    const supplier = await aTroubledSupplier();
    const form = [
      ['do', 'cancel'],
      ['list', ''],
      ['external', 'P-1'],
      ['external', 'E-0'],
    ] as const;
    const question = await visit(at(supplier, 'selected/'), form);
    expect(question.text).toContain('Cancel 2 imports?');
    expect(await statusOf(supplier, 'P-1')).toBe(0);
    const answer = await visit(at(supplier, 'selected/'), [...form, ['confirmed', 'true']]);
    expect(answer.headers.get('Location')).toContain('told=not_all_cancelled&n=1');
    expect(await Promise.all(['P-1', 'P-2', 'E-0'].map((one) => statusOf(supplier, one)))).toEqual([4, 0, 3]);
    const none = await visit(at(supplier, 'selected/'), [['do', 'cancel']]);
    expect(none.headers.get('Location')).toContain('told=none_selected');
  });
});

describe('figures and chart', () => {
  const spansIn = (text: string): { width: number; since: number; processed: number[]; errored: number[] } =>
    JSON.parse((/data-spans="([^"]+)"/.exec(text)?.[1] ?? expect.fail()).replaceAll('&quot;', '"'));
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);

  it('come with one answer and agree: all that was imported is in the chart of all', async () => {
    const supplier = await aSupplier();
    const minute = Math.floor(Date.now() / 60_000);
    await env.DB.prepare(
      'INSERT INTO imports_per_minute (supplier_id, minute, processed, errored) VALUES (?1, ?2, 7, 1), (?1, ?2 - 90, 5, 0), (?1, ?2 - 200000, 9, 2)',
    )
      .bind(supplier.supplierId, minute)
      .run();
    for (const [range, width, processed, errored] of [
      ['1h', 1, 7, 1],
      ['24h', 15, 12, 1],
      ['all', 2880, 21, 3],
    ] as const) {
      const { text } = await visit(at(supplier, `?range=${range}`));
      const spans = spansIn(text);
      expect([range, spans.width, sum(spans.processed), sum(spans.errored)]).toEqual([range, width, processed, errored]);
      expect(spans.processed.length).toBeLessThanOrEqual(122);
      expect(spans.since + spans.width * spans.processed.length).toBeGreaterThan(minute);
      expect(text).toMatch(/id="n-imported"[^>]*>21</);
    }
    expect(spansIn((await visit(at(supplier, '?range=__proto__'))).text).width).toBe(1);
  });
});

describe('why nothing moves', () => {
  const why = async (supplier: GivenSupplier) =>
    /id="why">(.*?)<\/p>/s.exec((await visit(at(supplier))).text)?.[1]?.replace(/<[^>]+>/g, '') ?? '';

  it('is a pause, since when and by whom', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'P-1');
    await operate('PATCH', `suppliers/${supplier.code}/`, { status: 'Paused' });
    expect(await why(supplier)).toMatch(/^Paused since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC by .+\. What is pending waits/);
  });

  it('is a window that is not open yet', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'P-1');
    expect(await why(supplier)).toContain(`opens at ${new Date(TOMORROW).toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    expect((await visit('')).text).not.toMatch(new RegExp(`id="supplier-${supplier.code}" data-is="attention`));
  });

  it('is a trouble where accounts may start for minutes: the overview puts the supplier first', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'P-1');
    expect(await why(supplier)).not.toContain('Nothing moves');
    await env.DB.prepare('UPDATE import_processes SET window_start = NULL, scheduled_at = ?2, sent_at = ?3 WHERE supplier_id = ?1')
      .bind(supplier.supplierId, Date.now() - 600_000, Date.now())
      .run();
    expect(await why(supplier)).toContain('Nothing moves. Accounts may start since');
    const { text } = await visit('');
    expect(text).toMatch(new RegExp(`id="supplier-${supplier.code}" data-is="attention`));
    expect(/class="headline held">([^<]*)</.exec(text)?.[1]).toMatch(/^\d+ of \d+ suppliers? needs? attention: .*\d+ not moving/);
    const kinds = [...text.matchAll(/<tr id="supplier-[^"]*" data-is="(attention)?/g)].map(([, kind]) => kind ?? '');
    expect(kinds).toEqual(kinds.toSorted((a, b) => b.localeCompare(a)));
  });

  it('is nothing where nothing waits', async () => {
    expect(await why(await aSupplier())).toBe('');
  });
});
