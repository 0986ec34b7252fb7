/** What the client does when the service, or the way to it, does not behave. */
import { describe, expect, it } from 'vitest';
import { ApiError, type ClientOptions, DataImportClient, NoAnswerError } from '../../src/kit/client';
import { type Scripted, scripted } from './scripted';

const clientOf = ({ url }: Scripted, options: Partial<ClientOptions> = {}) =>
  new DataImportClient({ baseUrl: url, apiKey: 'sk_live_test', retries: { baseMilliseconds: 1 }, ...options });

const notes = { import_supplier: 'S', external_account_number: 'E', notes: [{ body: 'x' }] };
const transactions = { import_supplier: 'S', external_account_number: 'E', transactions: [] };
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('tokens', () => {
  it('are obtained once for calls that start together', async () => {
    const server = await scripted([{ body: [] }]);
    const client = clientOf(server);
    await Promise.all([client.addNotes(notes), client.addNotes(notes), client.addNotes(notes)]);
    expect(server.credentials).toEqual([{ APIKey: 'sk_live_test' }]);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Token token-1'));
  });

  it('are renewed with the refresh token before they expire', async () => {
    const server = await scripted([{ body: [] }], { lifetime: 30 });
    const client = clientOf(server);
    await client.addNotes(notes);
    await client.addNotes(notes);
    expect(server.credentials).toEqual([{ APIKey: 'sk_live_test' }, { refreshToken: 'refresh-1' }]);
    expect(server.asked.at(-1)?.headers.authorization).toBe('Token token-2');
  });

  it.each(['PT-CT-1134', 'PT-CT-1135'])('are obtained with the API key again when the refresh token is refused (%s)', async (code) => {
    const server = await scripted([{ body: [] }], { lifetime: 30, refusesRefresh: code });
    const client = clientOf(server);
    await client.addNotes(notes);
    await client.addNotes(notes);
    expect(server.credentials.map((input) => Object.keys(input)[0])).toEqual(['APIKey', 'refreshToken', 'APIKey']);
  });

  it('are obtained with the API key when the service cannot spend the refresh token right now', async () => {
    const server = await scripted([{ body: [] }], { lifetime: 30, failsRefresh: true });
    const client = clientOf(server);
    await client.addNotes(notes);
    await client.addNotes(notes);
    expect(server.credentials.map((input) => Object.keys(input)[0])).toEqual(['APIKey', 'refreshToken', 'APIKey']);
  });

  it('that come without a refresh token are renewed with the API key', async () => {
    const server = await scripted([{ body: [] }], { lifetime: 30, withoutRefresh: true });
    const client = clientOf(server);
    await client.addNotes(notes);
    await client.addNotes(notes);
    expect(server.credentials.map((input) => Object.keys(input)[0])).toEqual(['APIKey', 'APIKey']);
  });

  it('are renewed once on 401, with the API key', async () => {
    const server = await scripted([{ status: 401, body: { code: 'authentication_failed', detail: 'Invalid token.' } }, { body: [] }]);
    await clientOf(server).addNotes(notes);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Token token-1', 'Token token-2']);
    expect(server.credentials).toEqual([{ APIKey: 'sk_live_test' }, { APIKey: 'sk_live_test' }]);
  });

  it('that are refused twice end the call', async () => {
    const server = await scripted([{ status: 401, body: { code: 'authentication_failed', detail: 'Invalid token.' } }]);
    const error = await refusalOf(clientOf(server).addNotes(notes));
    expect(error).toMatchObject({ status: 401, code: 'authentication_failed', isAccessRefused: true });
    expect(server.asked).toHaveLength(2);
  });

  it('that a bad API key asks for are refused with the code', async () => {
    const server = await scripted([{}], { refusesKey: 'PT-CT-1140' });
    const error = await refusalOf(clientOf(server).checkAccess());
    expect(error).toMatchObject({ name: 'ApiError', code: 'PT-CT-1140', isAccessRefused: true });
    expect(server.credentials).toHaveLength(1);
  });
});

describe('retries', () => {
  it.each([
    ['429', { status: 429, headers: { 'Retry-After': '0' }, body: { code: 'throttled', detail: 'x' } }],
    ['500', { status: 500, body: { code: 'error', detail: 'x' } }],
    ['503 from something between', { status: 503, body: '<html>' }],
    ['a broken connection', { fault: 'drop' }],
    ['an answer cut short', { fault: 'cut', headers: { 'Content-Length': '100' }, body: '[{"status"' }],
  ] as const)('%s is tried again under the same request id', async (_, reply) => {
    const server = await scripted([reply, reply, { body: [{ status: 'NOTE_ALREADY_EXISTS' }] }]);
    const results = await clientOf(server).addNotes(notes, { requestId: 'mine-1' });
    expect(results).toEqual([{ status: 'NOTE_ALREADY_EXISTS' }]);
    expect(server.asked.map(({ headers, body }) => [headers['x-request-id'], body])).toEqual(
      Array(3).fill(['mine-1', JSON.stringify(notes)]),
    );
  });

  it('waits as long as Retry-After says', async () => {
    const server = await scripted([{ status: 429, headers: { 'Retry-After': '1' } }, { body: [] }]);
    const started = Date.now();
    await clientOf(server).addNotes(notes);
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('ends after the tries it was given', async () => {
    const server = await scripted([
      { status: 500, headers: { 'X-Request-Id': 'theirs' }, body: { code: 'error', detail: 'x', request_id: 'theirs' } },
    ]);
    const error = await refusalOf(clientOf(server, { retries: { attempts: 3, baseMilliseconds: 1 } }).addNotes(notes));
    expect(error).toMatchObject({ status: 500, code: 'error', requestId: 'theirs' });
    expect(server.asked).toHaveLength(3);
  });

  it('does not wait for a Retry-After beyond its patience', async () => {
    const server = await scripted([{ status: 429, headers: { 'Retry-After': '3600' }, body: { code: 'throttled', detail: 'x' } }]);
    expect(await refusalOf(clientOf(server).addNotes(notes))).toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(server.asked).toHaveLength(1);
  });

  it.each([400, 403, 404, 405, 409, 413, 415])('never repeats a refusal (%i)', async (status) => {
    const server = await scripted([{ status, body: { code: 'c', detail: 'd', errors: [{ attr: 'notes.0', code: 'e', detail: 'f' }] } }]);
    const error = await refusalOf(clientOf(server).addNotes(notes));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code: 'c', errors: [{ attr: 'notes.0', code: 'e', detail: 'f' }] });
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    ['500', { status: 500 }],
    ['429', { status: 429, headers: { 'Retry-After': '0' } }],
    ['401', { status: 401 }],
    ['a broken connection', { fault: 'drop' }],
  ] as const)('never repeats transactions that are added without a look (%s)', async (_, reply) => {
    const server = await scripted([reply, { status: 201, body: { results: [] } }]);
    const error = await refusalOf(clientOf(server).addTransactions(transactions, { checkPreviouslyAdded: false }));
    expect(error).toBeInstanceOf(Error);
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/v1/data-import/transactions/create/?check_previously_added=false&force_add_to_current_statement=true',
    ]);
  });

  it('repeats transactions that are looked up first', async () => {
    const server = await scripted([{ fault: 'drop' }, { status: 201, body: { results: [] } }]);
    await clientOf(server).addTransactions(transactions);
    expect(server.asked).toHaveLength(2);
  });
});

describe('refusals', () => {
  it('report the account that was imported already', async () => {
    const body = { non_field_errors: { detail: 'Is there.', code: 'account_import_process_already_imported' }, account_id: 'A-0000000F' };
    const server = await scripted([{ status: 400, body }]);
    const account = { import_supplier: 'S', external_account_number: 'E' };
    expect(await refusalOf(clientOf(server).createAccount(account))).toMatchObject({
      status: 400,
      code: 'account_import_process_already_imported',
      accountId: 'A-0000000F',
      body,
    });
  });

  it('are made of redirects too: a token goes nowhere else', async () => {
    const server = await scripted([{ status: 302, headers: { Location: 'http://127.0.0.1:1/' } }]);
    expect(await refusalOf(clientOf(server).getImportProcess('S', 'E'))).toMatchObject({ status: 302 });
    expect(server.asked).toHaveLength(1);
  });
});

describe('time', () => {
  it('ends a try that gets no answer', async () => {
    const server = await scripted([{ fault: 'silence' }, { body: [] }]);
    await clientOf(server, { timeoutMilliseconds: 100 }).addNotes(notes);
    expect(server.asked).toHaveLength(2);
  });

  it('that runs out on every try is no answer', async () => {
    const server = await scripted([{ fault: 'silence' }]);
    const error = await refusalOf(
      clientOf(server, { timeoutMilliseconds: 50, retries: { attempts: 2, baseMilliseconds: 1 } }).addNotes(notes),
    );
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['while a request is on its way', { fault: 'silence' }],
    ['while it waits to try again', { status: 429, headers: { 'Retry-After': '30' } }],
  ] as const)('is ended by the caller %s, with the reason of the signal', async (_, reply) => {
    const server = await scripted([reply]);
    const stop = new AbortController();
    const call = refusalOf(clientOf(server).addNotes(notes, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 100);
    expect(await call).toMatchObject({ message: 'enough' });
    expect(server.asked).toHaveLength(1);
  });
});

describe('lists', () => {
  it('follow the query of the next page, and no address', async () => {
    const item = (external_account_number: string) => ({
      external_account_number,
      platform_account_number: null,
      account_created_at: null,
    });
    const next = '<http://elsewhere.test/v1/data-import/x/?limit=2&cursor=B%20%2F>; rel="next"';
    const server = await scripted([{ headers: { Link: next }, body: [item('A'), item('B /')] }, { body: [item('C')] }]);
    const found: string[] = [];
    for await (const { external_account_number } of clientOf(server).listPendingImports('S 1', { pageSize: 2 }))
      found.push(external_account_number);
    expect(found).toEqual(['A', 'B /', 'C']);
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/v1/data-import/pending-account-import-processes/S%201/?limit=2',
      '/v1/data-import/pending-account-import-processes/S%201/?limit=2&cursor=B%20%2F',
    ]);
  });
});

describe('bulk', () => {
  const accounts = ['A', 'B', 'C', 'D', 'E'].map((external_account_number) => ({ import_supplier: 'S', external_account_number }));
  const answer = (body: string, statuses: Record<string, string> = {}, cutAfter = Number.POSITIVE_INFINITY): string => {
    const numbers = body
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line).external_account_number));
    const lines = numbers.map((number, line) =>
      JSON.stringify({ line, external_account_number: number, status: statuses[number] ?? 'SCHEDULED' }),
    );
    const whole = [...lines, JSON.stringify({ done: true, lines: lines.length })];
    return whole
      .slice(0, cutAfter)
      .map((line) => `${line}\n`)
      .join('');
  };
  const linesOf = (server: Scripted) => server.asked.map(({ body }) => body.match(/[A-E](?=")/g)?.join('') ?? '');
  const all = async (server: Scripted, options: { linesPerRequest?: number } = {}) => {
    const results: string[] = [];
    for await (const { index, external_account_number, status } of clientOf(server).bulk(accounts, options))
      results.push(`${index}${external_account_number} ${status}`);
    return results;
  };

  it('sends as many lines a request as it is asked to, and yields each result once', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, { C: 'INVALID' }) })]);
    expect(await all(server, { linesPerRequest: 2 })).toEqual([
      '0A SCHEDULED',
      '1B SCHEDULED',
      '2C INVALID',
      '3D SCHEDULED',
      '4E SCHEDULED',
    ]);
    expect(linesOf(server)).toEqual(['AB', 'CD', 'E']);
    expect(server.asked[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it('sends again what an answer did not reach', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, {}, 2) }), ({ body }) => ({ body: answer(body) })]);
    expect(await all(server)).toEqual(['0A SCHEDULED', '1B SCHEDULED', '2C SCHEDULED', '3D SCHEDULED', '4E SCHEDULED']);
    expect(linesOf(server)).toEqual(['ABCDE', 'CDE']);
  });

  it('sends again what broke in the middle of a line', async () => {
    const server = await scripted([
      ({ body }) => ({ fault: 'cut', body: `${answer(body, {}, 1)}{"line":1,"exter` }),
      ({ body }) => ({ body: answer(body) }),
    ]);
    expect(await all(server)).toHaveLength(5);
    expect(linesOf(server)).toEqual(['ABCDE', 'BCDE']);
  });

  it('sends lines again that failed on our side, and only those', async () => {
    const server = await scripted([
      ({ body }) => ({ body: answer(body, { B: 'FAILED', D: 'FAILED' }) }),
      ({ body }) => ({ body: answer(body) }),
    ]);
    expect(await all(server)).toEqual(['0A SCHEDULED', '2C SCHEDULED', '4E SCHEDULED', '1B SCHEDULED', '3D SCHEDULED']);
    expect(linesOf(server)).toEqual(['ABCDE', 'BD']);
  });

  it('reports a line that keeps failing as FAILED', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, { B: 'FAILED' }) })]);
    expect((await all(server)).at(-1)).toBe('1B FAILED');
    expect(linesOf(server)).toEqual(['ABCDE', 'B', 'B', 'B', 'B']);
  });

  it('a caller who is patient with an outage does not wait for lines that the service fails', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, { B: 'FAILED' }) })]);
    const patient = new DataImportClient({ baseUrl: server.url, apiKey: 'sk_live_x', retries: { attempts: 50, baseMilliseconds: 1 } });
    for await (const _ of patient.bulk(accounts));
    expect(linesOf(server)).toEqual(['ABCDE', 'B', 'B', 'B', 'B']);
  });

  it('reads accounts only as fast as they are sent', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body) })]);
    let read = 0;
    function* endless() {
      for (;;) yield { import_supplier: 'S', external_account_number: `A${read++}` };
    }
    let count = 0;
    for await (const { status } of clientOf(server).bulk(endless(), { linesPerRequest: 10 })) {
      expect(status).toBe('SCHEDULED');
      if (++count === 25) break;
    }
    expect(read).toBeLessThanOrEqual(31);
    expect(server.asked).toHaveLength(3);
  });
});

describe('additions in bulk', () => {
  const requests = ['A', 'B', 'C'].map((external_account_number) => ({
    import_supplier: 'S',
    external_account_number,
    notes: [{ body: 'x' }],
  }));
  const numbersIn = (body: string) => body.match(/[A-C](?=")/g) ?? [];
  const answer = (body: string, statuses: Record<string, number> = {}, cutAfter = Number.POSITIVE_INFINITY): string => {
    const lines = numbersIn(body).map((number, line) => {
      const status = statuses[number] ?? 201;
      return { line, status, body: status === 201 ? [{ body: number }] : { code: 'c', detail: 'd', errors: [], request_id: 'r' } };
    });
    return [...lines, { done: true, lines: lines.length }]
      .slice(0, cutAfter)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  };
  const all = async (server: Scripted) => {
    const shown: unknown[] = [];
    for await (const one of clientOf(server).addNotesInBulk(requests)) {
      shown.push([one.index, 'error' in one ? one.error.status : one.result[0]?.body]);
    }
    return shown;
  };

  it('say what each request added, or why it was refused', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, { B: 404 }) })]);
    expect(await all(server)).toEqual([
      [0, 'A'],
      [1, 404],
      [2, 'C'],
    ]);
    expect(server.asked[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it('are sent again where an answer did not reach them or the service failed them, and only those', async () => {
    const server = await scripted([({ body }) => ({ body: answer(body, { A: 500 }, 2) }), ({ body }) => ({ body: answer(body) })]);
    expect(await all(server)).toEqual([
      [1, 'B'],
      [0, 'A'],
      [2, 'C'],
    ]);
    expect(server.asked.map(({ body }) => numbersIn(body).join(''))).toEqual(['ABC', 'AC']);
  });
});
