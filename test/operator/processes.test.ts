/** §10: what the operator sees of import processes and does to them. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aBacklog, forgetBacklog } from '../support/backlog';
import { type Answer, aSupplier, call, type GivenSupplier } from '../support/given';
import { auditOf, operate } from '../support/operator';
import { readRow, readRows } from '../support/tables';

const SOON = { schedule_window_start: new Date(Date.now() + 86_400_000).toISOString() };

/** An account that waits for tomorrow, made over HTTP. */
async function aPending(supplier: GivenSupplier, external: string, account: Record<string, unknown> = {}): Promise<void> {
  const body = { import_supplier: supplier.code, external_account_number: external, ...account, task_params: SOON };
  expect((await call('POST', '/v2/data-import/accounts/', { token: supplier.token, body })).status).toBe(201);
}

const ERROR = {
  code: 'import_process_failed_validation',
  detail: 'Wrong.',
  errors: [{ attr: 'customers.0.landline', code: 'invalid_phone_number', detail: 'x' }],
};

/** An account that failed, and could start now. */
async function anErrored(supplier: GivenSupplier, external: string, error: object = ERROR): Promise<void> {
  await aPending(supplier, external);
  await env.DB.prepare(
    `UPDATE import_processes SET status = 3, error = ?3, window_start = NULL, finished_at = modified_at, attempts = 1
     WHERE supplier_id = ?1 AND external_account_number = ?2`,
  )
    .bind(supplier.supplierId, external, JSON.stringify(error))
    .run();
}

const path = (supplier: GivenSupplier, rest = '') => `suppliers/${supplier.code}/import-processes/${rest}`;
const numbers = (answer: Answer) => (answer.body as { external_account_number: string }[]).map((row) => row.external_account_number);
const statusOf = async (supplier: GivenSupplier, external: string) =>
  (
    await readRow<{ status: number }>(
      'SELECT status FROM import_processes WHERE supplier_id = ? AND external_account_number = ?',
      supplier.supplierId,
      external,
    )
  )?.status;
const untilProcessed = (supplier: GivenSupplier, external: string) =>
  expect.poll(() => statusOf(supplier, external), { timeout: 15_000, interval: 50 }).toBe(2);

describe('GET import-processes/ 200', () => {
  it('lists newest first, by status, by prefix and by error code, page by page', async () => {
    const supplier = await aSupplier();
    for (const external of ['A-1', 'A-2', 'A-10', 'B/1', 'ü 1']) await aPending(supplier, external);
    await anErrored(supplier, 'A-3');
    await anErrored(supplier, 'B-4', { code: 'account_import_process_failed', detail: 'x' });
    expect(numbers(await operate('GET', path(supplier)))).toEqual(['B-4', 'A-3', 'ü 1', 'B/1', 'A-10', 'A-2', 'A-1']);
    expect(numbers(await operate('GET', path(supplier, '?status=ERRORED')))).toEqual(['B-4', 'A-3']);
    expect(numbers(await operate('GET', path(supplier, '?status=PROCESSED')))).toEqual([]);
    expect(numbers(await operate('GET', path(supplier, '?prefix=A-1')))).toEqual(['A-1', 'A-10']);
    expect(numbers(await operate('GET', path(supplier, '?prefix=%C3%BC')))).toEqual(['ü 1']);
    expect(numbers(await operate('GET', path(supplier, '?prefix=A&status=PENDING')))).toEqual(['A-1', 'A-10', 'A-2']);
    expect(numbers(await operate('GET', path(supplier, '?error_code=account_import_process_failed')))).toEqual(['B-4']);
    for (const query of ['?limit=3', '?limit=2&prefix=A', '?limit=2&status=PENDING']) {
      const whole = numbers(await operate('GET', path(supplier, query.replace(/limit=\d&?/, ''))));
      const seen: string[] = [];
      for (let next: string | undefined = path(supplier, query); next !== undefined; ) {
        const answer = await operate('GET', next);
        expect(answer.status).toBe(200);
        seen.push(...numbers(answer));
        next = /<\/operator\/v1\/([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
      }
      expect(seen, query).toEqual(whole);
    }
  });

  it('shows state and latest error, and no internal id', async () => {
    const supplier = await aSupplier();
    await anErrored(supplier, 'E-1');
    const { body } = await operate('GET', path(supplier));
    expect(body).toEqual([
      {
        external_account_number: 'E-1',
        status: 'ERRORED',
        account_number: null,
        platform_identifier: null,
        is_dry_run: false,
        created_at: expect.any(String),
        modified_at: expect.any(String),
        latest_error: { ...ERROR, domain: 'import_process' },
      },
    ]);
  });

  it('reads by an index, whatever is asked, and so do counts and retries', async () => {
    const { errorCounts } = await import('../../src/operator/processes/store-errors');
    const { processPage } = await import('../../src/operator/processes/store-pages');
    const { retryProcesses } = await import('../../src/import-processes');
    const open = 'import_processes_open (supplier_id=? AND status=?';
    const errored = 'import_processes_errored (supplier_id=?';
    const retries = retryProcesses({ auditId: 1, supplierId: 1, ids: [1], code: 'x' }, 1);
    for (const [{ sql, params }, index] of [
      [errorCounts({ supplierId: 1 }), errored] as const,
      ...retries.map((retry) => [retry, open] as const),
    ]) {
      const results = await readRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params);
      expect(results.map(({ detail }) => detail).join('\n')).toContain(index);
    }
    const none = { status: undefined, prefix: undefined, errorCode: undefined, accountNumber: undefined, cursor: undefined };
    for (const [filter, index] of [
      [none, 'PRIMARY KEY (supplier_id=?'],
      [{ ...none, cursor: 'x' }, 'PRIMARY KEY (supplier_id=? AND id<?'],
      [{ ...none, status: 'ERRORED' }, open],
      [{ ...none, errorCode: 'x' }, 'import_processes_errored (supplier_id=? AND <expr>=?'],
      [{ ...none, errorCode: 'x', cursor: 'x' }, 'import_processes_errored (supplier_id=? AND <expr>=? AND id<?'],
      [{ ...none, status: 'PENDING', cursor: 'x' }, 'import_processes_open (supplier_id=? AND status=? AND id<?'],
      [{ ...none, prefix: 'A' }, 'import_processes_pair (supplier_id=? AND external_account_number>? AND external_account_number<?'],
    ] as const) {
      const { sql, params } = processPage(1, filter, 10);
      const plan = await readRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params);
      const text = plan.map(({ detail }) => detail).join('\n');
      expect(text).toContain(index);
      expect(text).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  });
});

describe('GET import-processes/ 400, 404', () => {
  it.each(['status=DONE', 'limit=0', 'limit=1e2', 'cursor=nobody'])('400: ?%s', async (query) => {
    const supplier = await aSupplier();
    const answer = await operate('GET', path(supplier, `?${query}`));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: [{ attr: query.split('=')[0], code: 'invalid' }] },
    });
  });

  it('404: unknown supplier', async () => {
    for (const rest of ['import-processes/', 'import-processes/x/', 'rates/', 'errors/'])
      expect(await operate('GET', `suppliers/none/${rest}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('GET import-processes/{external}/', () => {
  const customers = [
    { given_name: 'Ada', family_name: 'Byron', email: 'ada@example.com', landline: '020 7946 0018', date_of_birth: '1985-12-10' },
  ];

  it('200: one process with its events and its payload, personal data masked', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'P/1 ü', {
      customers,
      account_type: 'BUSINESS',
      company_name: 'Byron Ltd',
      metadata: [{ key: 'type', value: { type: 'secret' } }],
    });
    const answer = await operate('GET', path(supplier, `${encodeURIComponent('P/1 ü')}/`));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        external_account_number: 'P/1 ü',
        status: 'PENDING',
        attempts: 0,
        schedule_window_start: SOON.schedule_window_start,
        events: [{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', occurred_at: expect.any(String), data: null }],
        payload: {
          import_supplier: supplier.code,
          account_type: 'BUSINESS',
          company_name: 'B•••',
          customers: [{ given_name: '•••', family_name: 'B•••' }],
        },
      },
    });
    for (const personal of ['Ada', 'Byron', 'ada@', '7946', '1985', 'secret']) expect(JSON.stringify(answer.body)).not.toContain(personal);
  });

  it('200: shows the whole history of a process that failed, was retried and imported', async () => {
    const supplier = await aSupplier();
    await anErrored(supplier, 'H-1');
    await operate('POST', path(supplier, 'H-1/retry/'));
    await untilProcessed(supplier, 'H-1');
    const { body } = await operate('GET', path(supplier, 'H-1/'));
    expect(body).toMatchObject({
      status: 'PROCESSED',
      account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/),
      platform_identifier: expect.any(String),
    });
    const { events } = body as { events: { event: string }[] };
    expect(events.map(({ event }) => event.replace('EVENT_ACCOUNT_IMPORT_PROCESS_', ''))).toEqual(['CREATED', 'CREATED', 'PROCESSED']);
  });

  it('404: unknown account, in another case, under another supplier', async () => {
    const [supplier, other] = [await aSupplier(), await aSupplier()];
    await aPending(supplier, 'Abc');
    for (const address of [path(supplier, 'abc/'), path(other, 'Abc/'), path(supplier, '%zz/')])
      expect(await operate('GET', address)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('POST …/reveal/', () => {
  it('200: the payload as it was staged; that it was seen is audited, what was seen is not', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'R-1', { customers: [{ given_name: 'Ada', family_name: 'Byron' }] });
    const answer = await operate('POST', path(supplier, 'R-1/reveal/'));
    expect(answer).toMatchObject({ status: 200, body: { payload: { customers: [{ given_name: 'Ada', family_name: 'Byron' }] } } });
    expect(await auditOf(`import process ${supplier.code} R-1`)).toEqual([
      { actor: 'operator', action: 'payload.revealed', subject: `import process ${supplier.code} R-1` },
    ]);
  });

  it('404: no such process, or its payload is gone; nothing is audited', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'R-2');
    await env.DB.prepare(`UPDATE payloads SET body = '' WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?)`)
      .bind(supplier.supplierId)
      .run();
    for (const external of ['R-2', 'R-3']) {
      expect((await operate('POST', path(supplier, `${external}/reveal/`))).status).toBe(404);
      expect(await auditOf(`import process ${supplier.code} ${external}`)).toEqual([]);
    }
    expect(await operate('GET', path(supplier, 'R-2/'))).toMatchObject({ status: 200, body: { payload: null } });
  });
});

describe('POST …/cancel/', () => {
  it('200: PENDING becomes CANCELLED with its event, audited', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'C-1');
    expect(await operate('POST', path(supplier, 'C-1/cancel/'))).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', events: [{}, { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED' }] },
    });
    expect(await statusOf(supplier, 'C-1')).toBe(4);
    expect(await auditOf(`import process ${supplier.code} C-1`)).toMatchObject([
      { action: 'import_process.cancelled', before: { status: 'PENDING' }, after: { status: 'CANCELLED' } },
    ]);
  });

  it('409: anything else, with the reason; nothing is changed or audited. 404: unknown', async () => {
    const supplier = await aSupplier();
    await anErrored(supplier, 'C-2');
    expect(await operate('POST', path(supplier, 'C-2/cancel/'))).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: expect.stringContaining('ERRORED') },
    });
    expect(await statusOf(supplier, 'C-2')).toBe(3);
    expect(await auditOf(`import process ${supplier.code} C-2`)).toEqual([]);
    expect((await operate('POST', path(supplier, 'nobody/cancel/'))).status).toBe(404);
  });
});

describe('POST …/retry/', () => {
  it('200: ERRORED becomes PENDING and is imported, audited', async () => {
    const supplier = await aSupplier();
    await anErrored(supplier, 'T-1');
    expect(await operate('POST', path(supplier, 'T-1/retry/'))).toMatchObject({
      status: 200,
      body: { external_account_number: 'T-1', latest_error: null },
    });
    await untilProcessed(supplier, 'T-1');
    expect(await auditOf(`import process ${supplier.code} T-1`)).toMatchObject([
      {
        action: 'import_process.retried',
        before: { status: 'ERRORED', error_code: 'import_process_failed_validation' },
        after: { status: 'PENDING' },
      },
    ]);
  });

  it('lets one of two parallel retries succeed', async () => {
    const supplier = await aSupplier({ status: 'Ongoing' });
    await anErrored(supplier, 'T-2');
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE id = ?`).bind(supplier.supplierId).run();
    const answers = await Promise.all([operate('POST', path(supplier, 'T-2/retry/')), operate('POST', path(supplier, 'T-2/retry/'))]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await auditOf(`import process ${supplier.code} T-2`)).toHaveLength(1);
    expect(await statusOf(supplier, 'T-2')).toBe(0);
  });

  it('409: not ERRORED, or under a Complete supplier. 404: unknown', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'T-3');
    await anErrored(supplier, 'T-4');
    expect(await operate('POST', path(supplier, 'T-3/retry/'))).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await env.DB.prepare(`UPDATE suppliers SET status = 'Complete' WHERE id = ?`).bind(supplier.supplierId).run();
    expect(await operate('POST', path(supplier, 'T-4/retry/'))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Complete') },
    });
    expect(await statusOf(supplier, 'T-4')).toBe(3);
    expect((await operate('POST', path(supplier, 'nobody/retry/'))).status).toBe(404);
  });
});

/** An account that failed, with a window that is over; another of which retention has emptied the payload. */
async function anOverdue(supplier: GivenSupplier, external: string, error?: object): Promise<void> {
  await anErrored(supplier, external, error);
  await env.DB.prepare('UPDATE import_processes SET window_end = ?3 WHERE supplier_id = ?1 AND external_account_number = ?2')
    .bind(supplier.supplierId, external, Date.now() - 1)
    .run();
}
async function anEmptied(supplier: GivenSupplier, external: string, error?: object): Promise<void> {
  await anErrored(supplier, external, error);
  await env.DB.prepare(
    `UPDATE payloads SET body = '', reduced_at = 1
     WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?1 AND external_account_number = ?2)`,
  )
    .bind(supplier.supplierId, external)
    .run();
}

describe('POST …/retry/ of what cannot start any more', () => {
  it.each([
    ['window is over', anOverdue, 'window of the import is over'],
    ['payload was emptied', anEmptied, 'emptied the payload'],
  ])('409: its %s; it stays ERRORED, nothing is audited, and a create brings it back', async (_, anUnretryable, detail) => {
    const supplier = await aSupplier();
    await anUnretryable(supplier, 'O-1');
    expect(await operate('POST', path(supplier, 'O-1/retry/'))).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: expect.stringContaining(detail) },
    });
    expect(await statusOf(supplier, 'O-1')).toBe(3);
    expect(await auditOf(`import process ${supplier.code} O-1`)).toEqual([]);
    const body = { import_supplier: supplier.code, external_account_number: 'O-1' };
    expect((await call('POST', '/v2/data-import/accounts/', { token: supplier.token, body })).status).toBe(201);
    await untilProcessed(supplier, 'O-1');
  });

  it('retry-errored/ leaves it out and says how many, and retries all others', async () => {
    const supplier = await aSupplier();
    await anErrored(supplier, '1');
    for (const external of ['2', '3']) await anOverdue(supplier, external);
    await anEmptied(supplier, '4');
    await anOverdue(supplier, '5', { code: 'account_import_process_failed', detail: 'x' });
    const answer = await operate('POST', `suppliers/${supplier.code}/retry-errored/`, { error_code: 'import_process_failed_validation' });
    expect(answer).toMatchObject({ status: 200, body: { retried: 1, left_out: { window_over: 2, payload_emptied: 1 } } });
    await untilProcessed(supplier, '1');
    for (const external of ['2', '3', '4', '5']) expect(await statusOf(supplier, external)).toBe(3);
    expect(await auditOf(`supplier ${supplier.code}`)).toMatchObject([{ after: { processes: 1 } }]);
  });
});

it('POST …/retry/ of one process sends it at once, however many wait and wherever the sweep has come to', async () => {
  const supplier = await aSupplier();
  await anErrored(supplier, 'first');
  await aBacklog(supplier, 5_000, { windowStart: Date.now() + 86_400_000 });
  await env.DB.prepare('UPDATE suppliers SET sweep_cursor = (SELECT max(id) FROM payloads) - 100 WHERE id = ?')
    .bind(supplier.supplierId)
    .run();
  expect((await operate('POST', path(supplier, 'first/retry/'))).status).toBe(200);
  await untilProcessed(supplier, 'first');
  await forgetBacklog(supplier);
});

describe('errors and retry-errored/', () => {
  it('200: counts errors by code, and retries all of one code', async () => {
    const supplier = await aSupplier();
    for (const external of ['1', '2', '3']) await anErrored(supplier, external);
    await anErrored(supplier, '4', { code: 'account_import_process_failed', detail: 'x' });
    expect((await operate('GET', `suppliers/${supplier.code}/errors/`)).body).toEqual({
      codes: [
        { code: 'import_process_failed_validation', count: 3 },
        { code: 'account_import_process_failed', count: 1 },
      ],
      field_codes: [{ code: 'invalid_phone_number', count: 3 }],
    });
    const answer = await operate('POST', `suppliers/${supplier.code}/retry-errored/`, { error_code: 'import_process_failed_validation' });
    expect(answer).toMatchObject({ status: 200, body: { retried: 3, left: 0 } });
    for (const external of ['1', '2', '3']) await untilProcessed(supplier, external);
    expect(await statusOf(supplier, '4')).toBe(3);
    expect(await auditOf(`supplier ${supplier.code}`)).toMatchObject([
      { action: 'import_processes.retried', after: { error_code: 'import_process_failed_validation', processes: 3 } },
    ]);
    expect((await operate('POST', `suppliers/${supplier.code}/retry-errored/`, { error_code: 'no_such_code' })).body).toEqual({
      retried: 0,
      left: 0,
    });
  });

  it('400, 404, 409', async () => {
    const supplier = await aSupplier({ status: 'Complete' });
    const retryErrored = (code: string, body: unknown) => operate('POST', `suppliers/${code}/retry-errored/`, body);
    expect(await retryErrored(supplier.code, {})).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'error_code', code: 'required' }] },
    });
    expect(await retryErrored('none', { error_code: 'x' })).toMatchObject({ status: 404 });
    expect(await retryErrored(supplier.code, { error_code: 'x' })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });
});

describe('GET rates/', () => {
  it('200: imports of each minute, none left out', async () => {
    const supplier = await aSupplier();
    const minute = Math.floor(Date.now() / 60_000);
    await env.DB.prepare(
      'INSERT INTO imports_per_minute (supplier_id, minute, processed, errored) VALUES (?1, ?2, 7, 1), (?1, ?2 - 2, 5, 0), (?1, ?2 - 90, 9, 9)',
    )
      .bind(supplier.supplierId, minute)
      .run();
    const answer = await operate('GET', `suppliers/${supplier.code}/rates/?minutes=5`);
    expect(answer.status).toBe(200);
    const rates = answer.body as { minute: string; processed: number; errored: number }[];
    expect(rates).toHaveLength(5);
    expect(rates.filter(({ processed }) => processed > 0)).toEqual([
      { minute: new Date((minute - 2) * 60_000).toISOString(), processed: 5, errored: 0 },
      { minute: new Date(minute * 60_000).toISOString(), processed: 7, errored: 1 },
    ]);
  });

  it.each(['0', '1441', 'x'])('400: minutes=%s', async (minutes) => {
    const { code } = await aSupplier();
    expect(await operate('GET', `suppliers/${code}/rates/?minutes=${minutes}`)).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'minutes', code: 'invalid' }] },
    });
  });
});

describe('Complete and resume', () => {
  it('cancels what is pending when a supplier completes, at once', async () => {
    const supplier = await aSupplier();
    await aPending(supplier, 'W-1');
    expect(await operate('PATCH', `suppliers/${supplier.code}/`, { status: 'Complete', confirm_pending: 1 })).toMatchObject({
      status: 200,
    });
    await expect.poll(() => statusOf(supplier, 'W-1')).toBe(4);
    expect((await auditOf(`supplier ${supplier.code}`)).at(-1)).toMatchObject({ after: { status: 'Complete', pending_to_cancel: 1 } });
  });

  it('imports what waited when a supplier is resumed, at once', async () => {
    const supplier = await aSupplier({ status: 'Ongoing' });
    await aPending(supplier, 'W-2');
    await operate('PATCH', `suppliers/${supplier.code}/`, { status: 'Paused' });
    await env.DB.prepare('UPDATE import_processes SET window_start = NULL WHERE supplier_id = ?').bind(supplier.supplierId).run();
    expect(await statusOf(supplier, 'W-2')).toBe(0);
    await operate('PATCH', `suppliers/${supplier.code}/`, { status: 'Ongoing' });
    await untilProcessed(supplier, 'W-2');
  });
});
